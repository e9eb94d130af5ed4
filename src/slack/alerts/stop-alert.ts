import type { StoredAlert } from '../../workspaces/alerts.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { postTo } from '../platform/replies.ts'
import { stoppedMessage } from './alert-message.ts'
import { type AlertPlatform, mayChangeAll } from './alert-list.ts'

export async function stopAlert(
  platform: AlertPlatform,
  caller: Caller,
  id: string,
): Promise<StoredAlert> {
  const { alerts: store, logger } = platform
  const stored = await findChangeableAlert(platform, caller, id)
  const { userId = '', client, workspace } = caller
  const { createdBy } = stored
  if ((await store.end(workspace.id, id)) && createdBy !== userId) {
    await postTo(client, createdBy, stoppedMessage(stored, userId)).catch((err: unknown) =>
      logger.warn({ err }, 'the creator of an alert could not be told that it was stopped'),
    )
  }
  return stored
}

/** @throws SlackInputError if the alert has ended, or if the user can't change it */
export async function findChangeableAlert(
  platform: AlertPlatform,
  caller: Caller,
  id: string,
): Promise<StoredAlert> {
  const { alerts: store, permissions } = platform
  await permissions.checkMaySee(caller)
  const stored = (await store.list(caller.workspace.id)).find((alert) => alert.id === id)
  if (!stored) throw new SlackInputError('This alert has already ended.')
  if (await mayChange(platform, caller, stored)) return stored
  throw new SlackInputError(
    'Only admins and the person who set up this alert can change or stop it. Ask one of them.',
  )
}

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
