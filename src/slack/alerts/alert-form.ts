import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { createOperation } from '../../port/operation.ts'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import { ALERT_CONDITIONS, type Alert, type AlertSubject } from '../../workspaces/alerts.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { AlertStart } from '../block-kit/alert-button.ts'
import { option } from '../block-kit/elements.ts'
import { channelInput, choiceInput, formModal, textInput } from '../block-kit/inputs.ts'
import { mention } from '../block-kit/mrkdwn.ts'
import { VIEWS } from '../ids.ts'
import { findNamedLink } from '../links/find-link.ts'
import type { Caller } from '../platform/caller.ts'
import { errorAt, SlackInputError, type FieldError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import { selectedOption, typedText, inputValue, type FormValues } from '../platform/form-values.ts'
import type { ActionRequest, FormSubmission } from '../platform/listeners.ts'
import { announce } from '../platform/replies.ts'
import {
  findChangeableAlert,
  noRoomText,
  refreshAlertList,
  type AlertPlatform,
} from './alert-list.ts'
import { alertText, CONDITIONS, countsClicks, isOffered } from './conditions.ts'
import { createLinkReader, subjectFilter } from './read-links.ts'

const SUBJECTS = {
  link: 'A link',
  tag: 'The links with a tag',
  campaign: 'The links of a campaign',
  all: 'All links',
} satisfies Record<AlertSubject['kind'], string>

const KINDS = Object.keys(SUBJECTS) as [AlertSubject['kind']]

function toAlertStart(about: AlertSubject): AlertStart {
  if (about.kind === 'all') return ['all', '']
  return [about.kind, about.kind === 'link' ? about.shortUrl : about.name]
}

const formMetadata = z.tuple([z.string(), z.boolean()])

export async function openAlertForm(
  platform: AlertPlatform,
  { caller, triggerId, view }: ActionRequest,
  { about, editedId }: { about?: AlertStart | undefined; editedId?: string },
): Promise<void> {
  const { linkService, permissions, views } = platform
  const title = editedId ? 'Edit alert' : 'New alert'
  const isInList = view?.callback_id === VIEWS.alerts
  const modal = { triggerId, title, isPushed: view?.type === 'modal' }
  await views.openThenBuild(caller, modal, async (show) => {
    await permissions.checkMaySee(caller)
    const edited = editedId ? await findChangeableAlert(platform, caller, editedId) : undefined
    const { alert } = edited ?? {}
    const capabilities = await linkService.requireCapabilities(caller.workspace, 'shows clicks')
    const [kind, name] = about ?? (alert ? toAlertStart(alert.about) : ['link', ''])
    const conditions = ALERT_CONDITIONS.filter((condition) =>
      isOffered(condition, capabilities, 'all'),
    ).map((condition) => option(CONDITIONS[condition].label, condition))
    const subjects = Object.entries(SUBJECTS).map(([value, text]) => option(text, value))
    const blocks = [
      choiceInput('alert_about', subjects, kind, { optional: false }),
      textInput('alert_name', name, {
        hint: 'The short link or its back-half, the tag, or the campaign. Not needed for all links.',
      }),
      choiceInput('alert_condition', conditions, alert?.condition, {
        optional: false,
        placeholder: 'Tell me when…',
        hint: 'Clicks on several links are added up. Days are counted in UTC.',
      }),
      textInput('alert_number', alert?.number === undefined ? undefined : String(alert.number), {
        hint: 'The number of clicks or days, or how many times the average. Not needed for changes or dead destinations.',
      }),
      channelInput('alert_channel', alert?.channel, {
        hint: 'Leave this empty to get direct messages. Backhalf must be in the channel, and announces the alert there when you save.',
      }),
    ]
    const metadata = JSON.stringify([editedId ?? '', isInList])
    await show(formModal({ callbackId: VIEWS.alert, metadata, title, blocks }))
  })
}

export async function saveAlert(platform: AlertPlatform, submission: FormSubmission) {
  const { alerts: store, permissions } = platform
  const { caller, userId, view } = submission
  const { workspace, client } = caller
  // For a new alert, the ID is empty.
  const [editedId, isInList] = formMetadata.parse(JSON.parse(view.private_metadata))
  const isSaved = await answerForm(platform, submission, {
    work: async () => {
      await permissions.checkMaySee(caller)
      const edited = editedId ? await findChangeableAlert(platform, caller, editedId) : undefined
      const { kind, name, ...condition } = readAlertForm(view.state.values)
      const about = await findSubject(platform, caller, kind, name)
      const alert: Alert = { about, ...condition }
      const noRoom = edited ? undefined : noRoomText(await store.list(workspace.id), userId)
      if (noRoom !== undefined) throw new SlackInputError(noRoom)
      await checkAlert(platform, workspace, alert)
      const { channel } = alert
      if (channel !== undefined && !isDeepStrictEqual(alert, edited?.alert)) {
        // The announcement comes before saving, because Slack refuses it if Backhalf can't post in the channel.
        const text = `:bell: ${mention(userId)} set up an alert. Backhalf posts here when ${alertText(alert)}.`
        await announce(client, { channel, text, field: 'alert_channel' })
      }
      const createdBy = edited?.createdBy ?? userId
      // A new alert has the view's ID, so that submitting the form twice adds only one alert.
      const id = edited?.id ?? view.id
      await store.save({ id, workspaceId: workspace.id, createdBy, alert })
      return { createdBy, alert }
    },
    waiting: 'Saving…',
    done: ({ createdBy, alert }) => savedText(createdBy, alert),
    consequence: 'The alert was not saved.',
  })
  if (isSaved && isInList && view.root_view_id)
    await refreshAlertList(platform, caller, view.root_view_id)
}

function savedText(createdBy: string, alert: Alert): string {
  const { channel } = alert
  const recipient =
    channel === undefined
      ? `${mention(createdBy)} gets a direct message`
      : `Backhalf posts in <#${channel}>`
  return `:bell: Saved. Backhalf checks every few minutes. ${recipient} when ${alertText(alert)}.`
}

const MAX_NAME = 1_000

function readAlertForm(values: FormValues) {
  const kind = KINDS.find((known) => known === selectedOption(values, 'alert_about')) ?? 'all'
  const name = typedText(values, 'alert_name')
  const chosen = selectedOption(values, 'alert_condition')
  const condition = ALERT_CONDITIONS.find((known) => known === chosen) ?? 'changes'
  const { selected_conversation: channel } = inputValue(values, 'alert_channel') ?? {}
  const issues: FieldError[] = []
  if (kind !== 'all' && (name === '' || name.length > MAX_NAME)) {
    const noun = { link: 'short link', tag: 'tag', campaign: 'campaign' }[kind]
    issues.push({ field: 'alert_name', message: `Enter the ${noun}.` })
  }
  const { number: range } = CONDITIONS[condition]
  const digits = typedText(values, 'alert_number').replaceAll(/[,\s]/g, '')
  const number = /^\d{1,10}$/.test(digits) ? Number(digits) : NaN
  if (range && !(number >= range.min && number <= range.max)) {
    const { min, max, means, example } = range
    const message = `Enter a whole number from ${min} to ${formatNumber(max)} (${means}), such as ${formatNumber(example)}.`
    issues.push({ field: 'alert_number', message })
  }
  if (issues.length > 0) throw new SlackInputError(issues)
  return { kind, name, condition, ...(range && { number }), ...(channel && { channel }) }
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
  const link = await findNamedLink(platform, caller.workspace, named, { operation }).catch(
    (error: unknown) => {
      if (error instanceof SlackInputError) throw errorAt('alert_name', error.message)
      throw error
    },
  )
  return { kind, name: link.name, shortUrl: link.shortlink_url }
}

/** @throws SlackInputError if the alert could never send a message, or would send one at the first check */
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
    const query = { ...subjectFilter(about), limit: 1 }
    const [unknown] = (await linkService.report(workspace, query)).unknown ?? []
    if (unknown) {
      const similarNames = unknown.nearest.map((name) => `“${name}”`).join(' or ')
      const question = similarNames ? ` Did you mean ${similarNames}?` : ''
      throw errorAt('alert_name', `No link has this ${about.kind}.${question}`)
    }
  }
  if (!countsClicks(alert)) return
  const figures = await createLinkReader(platform, workspace, capabilities).figures(alert)
  if (!figures) {
    throw errorAt(
      'alert_condition',
      'This workspace’s link service doesn’t show clicks. Choose another condition.',
    )
  }
  if (condition === 'reaches' && figures.total >= number) {
    throw errorAt(
      'alert_number',
      `The total is already ${formatCount(figures.total, 'click')}. Enter a larger number.`,
    )
  }
}
