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
  const found = await findChangeableAlert(platform, caller, id)
  const { userId = '', client, workspace } = caller
  if ((await store.end(workspace.id, id)) && found.createdBy !== userId) {
    await postTo(client, found.createdBy, stoppedMessage(found, userId)).catch((err: unknown) =>
      logger.warn({ err }, 'the creator of an alert could not be told that it was stopped'),
    )
  }
  return found
}

export async function findChangeableAlert(
  platform: AlertPlatform,
  caller: Caller,
  id: string,
): Promise<StoredAlert> {
  const { alerts: store, permissions } = platform
  await permissions.checkMaySee(caller)
  const found = (await store.list(caller.workspace.id)).find((alert) => alert.id === id)
  if (!found) throw new SlackInputError('This alert has already ended.')
  if (await mayChange(platform, caller, found)) return found
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
