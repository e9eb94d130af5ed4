import type { ModalView } from '@slack/types'
import { ALERT_LIMITS, type AlertStore, type StoredAlert } from '../../workspaces/alerts.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { postTo } from '../platform/replies.ts'
import { alertsModal } from './alert-form.ts'
import { stoppedMessage } from './alert-message.ts'

export interface AlertPlatform extends LinkPlatform {
  alerts: AlertStore
}

export async function buildAlertList(platform: AlertPlatform, caller: Caller): Promise<ModalView> {
  const { alerts: store, permissions } = platform
  await permissions.checkMaySee(caller)
  const { workspace, userId = '' } = caller
  const all = await store.list(workspace.id)
  const own = all.filter(({ createdBy }) => createdBy === userId)
  const shown = (await mayChangeAll(platform, caller)) ? all : own
  return alertsModal(shown, hasNoRoom(all, userId) ? NO_ROOM : undefined)
}

export async function refreshAlertList(
  platform: AlertPlatform,
  caller: Caller,
  viewId: string,
): Promise<void> {
  const { logger, views } = platform
  await views
    .update(caller, { view_id: viewId }, await buildAlertList(platform, caller))
    .catch((err: unknown) => logger.error({ err }, 'the list of alerts could not be updated'))
}

/** If Slack doesn't say whether the user is an admin, they are treated as a member. */
async function mayChangeAll(
  { permissions, settings }: AlertPlatform,
  caller: Caller,
): Promise<boolean> {
  if ((await settings.read(caller.workspace.id)).mayChange === 'everyone') return true
  return permissions.isAdmin(caller).catch(() => false)
}

export function hasNoRoom(alerts: readonly StoredAlert[], userId: string): boolean {
  const own = alerts.filter(({ createdBy }) => createdBy === userId)
  return alerts.length >= ALERT_LIMITS.workspace || own.length >= ALERT_LIMITS.person
}

export const NO_ROOM = `No more alerts can be added: a person can have ${ALERT_LIMITS.person}, and a workspace ${ALERT_LIMITS.workspace}. First stop an existing alert.`

export async function stopAlert(
  platform: AlertPlatform,
  caller: Caller,
  id: string,
): Promise<StoredAlert> {
  const { alerts: store, logger } = platform
  const found = await findChangeableAlert(platform, caller, id)
  const { userId = '', client, workspace } = caller
  if ((await store.end(workspace.id, id)) && found.createdBy !== userId) {
    await postTo(client, found.createdBy, stoppedMessage(found, userId)).catch((err: unknown) =>
      logger.warn({ err }, 'the creator of an alert could not be told that it was stopped'),
    )
  }
  return found
}

/** @throws SlackInputError if the user can't change the alert */
export async function findChangeableAlert(
  platform: AlertPlatform,
  caller: Caller,
  id: string,
): Promise<StoredAlert> {
  const { alerts: store, permissions } = platform
  await permissions.checkMaySee(caller)
  const found = (await store.list(caller.workspace.id)).find((one) => one.id === id)
  if (!found) throw new SlackInputError('This alert has already ended.')
  if (await mayChange(platform, caller, found)) return found
  throw new SlackInputError(
    'Only admins and the person who set up this alert can change or stop it. Ask one of them.',
  )
}

/** The creator of an alert, admins, and people who can change its link can change the alert. */
async function mayChange(
  platform: AlertPlatform,
  caller: Caller,
  { createdBy, alert: { about } }: StoredAlert,
): Promise<boolean> {
  if (createdBy === caller.userId || (await mayChangeAll(platform, caller))) return true
  if (about.kind !== 'link') return false
  const checking = platform.permissions.checkMayChange(caller, about).then(() => true)
  return checking.catch(() => false)
}
