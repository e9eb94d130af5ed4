import type { ModalView } from '@slack/types'
import { ALERT_LIMITS, type AlertStore, type StoredAlert } from '../../workspaces/alerts.ts'
import { actions, button, option, section } from '../block-kit/elements.ts'
import { mention } from '../block-kit/mrkdwn.ts'
import { readOnlyModal } from '../block-kit/notices.ts'
import { ACTIONS, ALERT_BLOCK_PREFIX, ALERT_MENU, VIEWS } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { postTo } from '../platform/replies.ts'
import { stoppedMessage } from './alert-message.ts'
import { alertText, placeText } from './conditions.ts'

export interface AlertPlatform extends LinkPlatform {
  alerts: AlertStore
}

export async function buildAlertList(platform: AlertPlatform, caller: Caller): Promise<ModalView> {
  const { alerts: store, permissions } = platform
  await permissions.checkMaySee(caller)
  const { workspace, userId = '' } = caller
  const all = await store.list(workspace.id)
  const byUser = all.filter(({ createdBy }) => createdBy === userId)
  const shown = (await mayChangeAll(platform, caller)) ? all : byUser
  const noRoom = noRoomText(all, userId)
  return readOnlyModal(
    'Alerts',
    [
      section(
        shown.length > 0
          ? 'Backhalf checks every few minutes, and sends a message when one of these things happens.'
          : 'There are no alerts yet. Backhalf can send a message when a link gets many clicks, changes, expires or no longer works.',
      ),
      ...(noRoom
        ? [section(noRoom)]
        : actions([button('New alert', ACTIONS.newAlert, { style: 'primary' })])),
      ...shown.map(({ id, alert, createdBy }) =>
        section(
          `A message when ${alertText(alert)}\nSent ${placeText(createdBy, alert)}  ·  set up by ${mention(createdBy)}`,
          {
            type: 'overflow',
            action_id: ACTIONS.alertMenu,
            options: [option('Edit', ALERT_MENU.edit), option('Stop', ALERT_MENU.stop)],
          },
          `${ALERT_BLOCK_PREFIX}${id}`,
        ),
      ),
    ],
    { callbackId: VIEWS.alerts },
  )
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

/** @returns false if the user can change only their own alerts, or if Slack doesn't say whether the user is an admin */
async function mayChangeAll(
  { permissions, settings }: AlertPlatform,
  caller: Caller,
): Promise<boolean> {
  if ((await settings.read(caller.workspace.id)).mayChange === 'everyone') return true
  return permissions.isAdmin(caller).catch(() => false)
}

export function noRoomText(alerts: readonly StoredAlert[], userId: string): string | undefined {
  const { perPerson, perWorkspace } = ALERT_LIMITS
  const byUser = alerts.filter(({ createdBy }) => createdBy === userId)
  return alerts.length >= perWorkspace || byUser.length >= perPerson
    ? `No more alerts can be added: a person can have ${perPerson}, and a workspace ${perWorkspace}. First stop an existing alert.`
    : undefined
}

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
  const { createdBy, alert } = stored
  if (createdBy === caller.userId || (await mayChangeAll(platform, caller))) return stored
  if (alert.about.kind === 'link') {
    const checking = permissions.checkMayChange(caller, alert.about)
    if (await checking.then(() => true).catch(() => false)) return stored
  }
  throw new SlackInputError(
    'Only admins and the person who set up this alert can change or stop it. Ask one of them.',
  )
}
