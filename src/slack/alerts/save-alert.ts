import { isDeepStrictEqual } from 'node:util'
import { createOperation } from '../../port/operation.ts'
import { formatCount } from '../../web/numbers.ts'
import type { Alert, AlertSubject } from '../../workspaces/alerts.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { AlertStart } from '../block-kit/alert-button.ts'
import { mention } from '../block-kit/mrkdwn.ts'
import { VIEWS } from '../ids.ts'
import { findNamedLink } from '../links/find-link.ts'
import type { Caller } from '../platform/caller.ts'
import { errorAt, SlackInputError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { ActionRequest, FormSubmission } from '../platform/listeners.ts'
import { announce } from '../platform/replies.ts'
import { alertForm, decodeAlertMetadata, readAlertForm } from './alert-form.ts'
import { noRoomText, refreshAlertList, type AlertPlatform } from './alert-list.ts'
import { findChangeableAlert } from './stop-alert.ts'
import { alertText, countsClicks, isOffered } from './conditions.ts'
import { createLinkReader, subjectFilter } from './read-links.ts'

export async function openAlertForm(
  platform: AlertPlatform,
  { caller, triggerId, view }: ActionRequest,
  { about, editedId }: { about?: AlertStart | undefined; editedId?: string },
): Promise<void> {
  const { linkService, permissions, views } = platform
  const title = editedId ? 'Edit alert' : 'New alert'
  const modal = { triggerId, title, isPushed: view?.type === 'modal' }
  await views.openThenBuild(caller, modal, async (show) => {
    await permissions.checkMaySee(caller)
    const edited = editedId ? await findChangeableAlert(platform, caller, editedId) : undefined
    const capabilities = await linkService.requireCapabilities(caller.workspace, 'shows clicks')
    await show(alertForm(capabilities, edited, about, view?.callback_id === VIEWS.alerts))
  })
}

export async function saveAlert(
  platform: AlertPlatform,
  submission: FormSubmission,
): Promise<void> {
  const { alerts: store, permissions } = platform
  const { caller, userId, view } = submission
  const { workspace, client } = caller
  const { edited, isInList } = decodeAlertMetadata(view.private_metadata)
  const saved = await answerForm(platform, submission, {
    work: async () => {
      await permissions.checkMaySee(caller)
      const before = edited ? await findChangeableAlert(platform, caller, edited) : undefined
      const typed = readAlertForm(view.state.values)
      const { kind, name, ...rest } = typed
      const alert: Alert = { about: await findSubject(platform, caller, kind, name), ...rest }
      const createdBy = before?.createdBy ?? userId
      const noRoom = before ? undefined : noRoomText(await store.list(workspace.id), userId)
      if (noRoom !== undefined) throw new SlackInputError(noRoom)
      await checkAlert(platform, workspace, alert)
      const { channel } = alert
      if (channel !== undefined && !isDeepStrictEqual(alert, before?.alert)) {
        const text = `:bell: ${mention(userId)} set up an alert. Backhalf posts here when ${alertText(alert)}.`
        await announce(client, { channel, text, field: 'alert_channel' })
      }
      // A second submission of the same form changes the same alert.
      const id = before?.id ?? view.id
      await store.save({ id, workspaceId: workspace.id, createdBy, alert })
      return { createdBy, alert }
    },
    waiting: 'Saving…',
    done: ({ createdBy, alert }) =>
      `:bell: Saved. Backhalf checks every few minutes. ${alert.channel === undefined ? `${mention(createdBy)} gets a direct message` : `Backhalf posts in <#${alert.channel}>`} when ${alertText(alert)}.`,
    closesWhenDone: false,
    consequence: 'The alert was not saved.',
  })
  if (saved && isInList && view.root_view_id)
    await refreshAlertList(platform, caller, view.root_view_id)
}

async function findSubject(
  platform: AlertPlatform,
  caller: Caller,
  kind: AlertSubject['kind'],
  name: string,
): Promise<AlertSubject> {
  if (kind === 'all') return { kind }
  if (kind !== 'link') return { kind, name }
  const operation = createOperation({ clock: platform.clock })
  const named = { command: 'alerts', text: name }
  const found = await findNamedLink(platform, caller.workspace, named, { operation }).catch(
    (error: unknown) => {
      if (error instanceof SlackInputError) throw errorAt('alert_name', error.message)
      throw error
    },
  )
  return { kind, name: found.name, shortUrl: found.shortlink_url }
}

/**
 * Checks an alert before it is saved.
 * @throws SlackInputError if it can never send a message, or would send one at once
 */
async function checkAlert(
  platform: AlertPlatform,
  workspace: Workspace,
  alert: Alert,
): Promise<void> {
  const { linkService } = platform
  const capabilities = await linkService.requireCapabilities(workspace, 'shows clicks')
  const { about, condition, number = 0 } = alert
  if (!isOffered(condition, capabilities, about.kind)) {
    throw errorAt(
      'alert_condition',
      'This workspace’s link service doesn’t offer this. Choose another condition.',
    )
  }
  if (capabilities.reports && (about.kind === 'tag' || about.kind === 'campaign')) {
    const { unknown } = await linkService.report(workspace, { ...subjectFilter(about), limit: 1 })
    const nearest = unknown?.[0]?.nearest.map((name) => `“${name}”`).join(' or ')
    if (unknown?.length) {
      throw errorAt(
        'alert_name',
        `No link has this ${about.kind}.${nearest ? ` Did you mean ${nearest}?` : ''}`,
      )
    }
  }
  if (!countsClicks(alert)) return
  const isTotal = condition === 'reaches'
  const figures = await createLinkReader(platform, workspace, capabilities).figures(about, isTotal)
  if (!figures) {
    throw errorAt(
      'alert_condition',
      'This workspace’s link service doesn’t show clicks. Choose another condition.',
    )
  }
  if (isTotal && figures.total >= number) {
    throw errorAt(
      'alert_number',
      `The total is already ${formatCount(figures.total, 'click')}. Enter a larger number.`,
    )
  }
}
