import type { ModalView } from '@slack/types'
import { ALERT_LIMITS, type AlertStore, type StoredAlert } from '../../workspaces/alerts.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { alertsModal } from './alert-form.ts'

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
  return alertsModal(shown, noRoomText(all, userId))
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
export async function mayChangeAll(
  { permissions, settings }: AlertPlatform,
  caller: Caller,
): Promise<boolean> {
  if ((await settings.read(caller.workspace.id)).mayChange === 'everyone') return true
  return permissions.isAdmin(caller).catch(() => false)
}

/** @returns undefined if the user can add another alert */
export function noRoomText(alerts: readonly StoredAlert[], userId: string): string | undefined {
  const { perPerson, perWorkspace } = ALERT_LIMITS
  const byUser = alerts.filter(({ createdBy }) => createdBy === userId)
  return alerts.length >= perWorkspace || byUser.length >= perPerson
    ? `No more alerts can be added: a person can have ${perPerson}, and a workspace ${perWorkspace}. First stop an existing alert.`
    : undefined
}
