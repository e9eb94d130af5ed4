import { createOperation } from '../../port/operation.ts'
import { isDeepStrictEqual } from 'node:util'
import {
  ALERT_LIMITS,
  type Alert,
  type AlertStore,
  type AlertSubject,
  type StoredAlert,
} from '../../workspaces/alerts.ts'
import { formatCount } from '../../web/numbers.ts'
import { decodeAlertStart, type AlertStart } from '../block-kit/alert-button.ts'
import { textMessage } from '../block-kit/elements.ts'
import { mention } from '../block-kit/mrkdwn.ts'
import { ACTIONS, ALERT_BLOCK_PREFIX, ALERT_MENU, VIEWS } from '../ids.ts'
import { findNamedLink } from '../links/find-link.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { errorAt, SlackInputError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { ActionRequest, FormSubmission, Listeners } from '../platform/listeners.ts'
import { announce, postTo } from '../platform/replies.ts'
import type { Show } from '../platform/views.ts'
import {
  alertForm,
  alertsModal,
  decodeAlertMetadata,
  readAlertForm,
  type TypedAlert,
} from './alert-form.ts'
import { stoppedMessage } from './alert-message.ts'
import { alertText, countsClicks, isOffered } from './conditions.ts'
import { createLinkReader, subjectFilter } from './read-links.ts'

export function registerAlerts(
  listeners: Listeners,
  platform: LinkPlatform,
  { alerts: store }: { alerts: AlertStore },
): void {
  const { clock, linkService, logger, permissions, replies, settings, views } = platform

  /** The creator of an alert, admins, and people who may change its link may change the alert. */
  async function mayChange(caller: Caller, { createdBy, alert: { about } }: StoredAlert) {
    if (createdBy === caller.userId) return true
    if ((await settings.read(caller.workspace.id)).mayChange === 'everyone') return true
    if (await permissions.isAdmin(caller).catch(() => false)) return true
    if (about.kind !== 'link') return false
    return permissions.checkMayChange(caller, about).then(
      () => true,
      () => false,
    )
  }

  async function findOwn(caller: Caller, id: string): Promise<StoredAlert> {
    await permissions.checkMaySee(caller)
    const found = (await store.list(caller.workspace.id)).find((one) => one.id === id)
    if (!found) throw new SlackInputError('This alert has already ended.')
    if (await mayChange(caller, found)) return found
    throw new SlackInputError(
      'Only admins and the person who set up this alert can change or stop it. Ask one of them.',
    )
  }

  async function stop(caller: Caller, id: string): Promise<StoredAlert> {
    const found = await findOwn(caller, id)
    const { userId = '', client, workspace } = caller
    if ((await store.end(workspace.id, id)) && found.createdBy !== userId) {
      await postTo(client, found.createdBy, stoppedMessage(found, userId)).catch((err: unknown) =>
        logger.warn({ err }, 'the creator of an alert could not be told that it was stopped'),
      )
    }
    return found
  }

  async function buildList(caller: Caller) {
    await permissions.checkMaySee(caller)
    const { workspace, userId = '' } = caller
    const all = await store.list(workspace.id)
    const own = all.filter(({ createdBy }) => createdBy === userId)
    const isAdmin = await permissions.isAdmin(caller).catch(() => false)
    const seesAll = isAdmin || (await settings.read(workspace.id)).mayChange === 'everyone'
    return alertsModal(seesAll ? all : own, hasNoRoom(all, userId) ? NO_ROOM : undefined)
  }

  async function openForm(
    { caller, triggerId, view }: ActionRequest,
    { about, editedId }: { about?: AlertStart | undefined; editedId?: string },
  ): Promise<void> {
    const modal = { triggerId, title: editedId ? 'Edit alert' : 'New alert' }
    const build = async (show: Show): Promise<void> => {
      await permissions.checkMaySee(caller)
      const edited = editedId === undefined ? undefined : await findOwn(caller, editedId)
      const can = await linkService.certain(caller.workspace, 'shows clicks')
      const isInList = view?.callback_id === VIEWS.alerts
      await show(alertForm(can, { edited, about, isInList }))
    }
    if (view?.type === 'modal') await views.pushThenBuild(caller, modal, build)
    else await views.openThenBuild(caller, modal, build)
  }

  async function findSubject(caller: Caller, { kind, name }: TypedAlert): Promise<AlertSubject> {
    if (kind === 'all') return { kind }
    if (kind !== 'link') return { kind, name }
    const operation = createOperation({ clock })
    const named = { command: 'alerts', text: name }
    const found = await findNamedLink(platform, caller.workspace, named, { operation }).catch(
      (error: unknown) => {
        if (error instanceof SlackInputError) throw errorAt('alert_name', error.message)
        throw error
      },
    )
    return { kind, name: found.name, shortUrl: found.shortlink_url }
  }

  async function checkWith(caller: Caller, alert: Alert): Promise<void> {
    const { workspace } = caller
    const can = await linkService.certain(workspace, 'shows clicks')
    const { about, condition, number = 0 } = alert
    if (!isOffered(condition, can, about.kind)) {
      throw errorAt(
        'alert_condition',
        'This workspace’s link service doesn’t offer this. Choose another condition.',
      )
    }
    if (can.reports && (about.kind === 'tag' || about.kind === 'campaign')) {
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
    const figures = await createLinkReader(platform, workspace, can).figures(about, isTotal)
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

  async function submit(submission: FormSubmission): Promise<void> {
    const { caller, userId, view } = submission
    const { workspace, client } = caller
    const { edited, isInList } = decodeAlertMetadata(view.private_metadata)
    const saved = await answerForm(platform, submission, {
      work: async () => {
        await permissions.checkMaySee(caller)
        const before = edited ? await findOwn(caller, edited) : undefined
        const typed = readAlertForm(view.state.values)
        const { kind: _kind, name: _name, ...rest } = typed
        const alert: Alert = { about: await findSubject(caller, typed), ...rest }
        const createdBy = before?.createdBy ?? userId
        if (!before && hasNoRoom(await store.list(workspace.id), userId))
          throw new SlackInputError(NO_ROOM)
        await checkWith(caller, alert)
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
    if (saved && isInList && view.root_view_id) await refresh(caller, view.root_view_id)
  }

  async function refresh(caller: Caller, viewId: string): Promise<void> {
    await views
      .update(caller, { view_id: viewId }, await buildList(caller))
      .catch((err: unknown) => logger.error({ err }, 'the list of alerts could not be updated'))
  }

  listeners.command('alerts', ({ caller, triggerId }) =>
    views.openThenBuild(caller, { triggerId, title: 'Alerts' }, async (show) =>
      show(await buildList(caller)),
    ),
  )
  listeners.action(ACTIONS.newAlert, (request) =>
    openForm(request, { about: decodeAlertStart(request.value) }),
  )
  listeners.action(ACTIONS.alertMenu, async (request) => {
    const { action, caller, value, view } = request
    if (!view) return
    const id = action.block_id.slice(ALERT_BLOCK_PREFIX.length)
    if (value === ALERT_MENU.edit) return openForm(request, { editedId: id })
    await stop(caller, id)
    await refresh(caller, view.id)
  })
  listeners.action(ACTIONS.stopAlert, async ({ caller, target, value }) => {
    const { alert } = await stop(caller, value)
    const done = `:no_bell: Stopped. Backhalf no longer sends a message when ${alertText(alert)}.`
    await replies.send(caller.client, target, textMessage(done))
  })
  listeners.formSubmission(VIEWS.alert, submit)
}

function hasNoRoom(alerts: readonly StoredAlert[], userId: string): boolean {
  const own = alerts.filter(({ createdBy }) => createdBy === userId)
  return alerts.length >= ALERT_LIMITS.workspace || own.length >= ALERT_LIMITS.person
}

const NO_ROOM = `No more alerts can be added: a person can have ${ALERT_LIMITS.person}, and a workspace ${ALERT_LIMITS.workspace}. First stop an existing alert.`
