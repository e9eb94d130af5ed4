import type { UsersInfoResponse } from '@slack/web-api'
import { isOrganization } from '../../workspaces/workspace.ts'
import type { Caller } from './caller.ts'

/**
 * Asks Slack whether the user administers the workspace, as an admin or an owner. If the app is installed
 * for a whole organization, only the organization's admins and owners count, because what they decide
 * affects all of its workspaces. Admins of another company, who use a channel that both share, don't count.
 */
export async function isAdmin(
  { client, workspace }: Pick<Caller, 'client' | 'workspace'>,
  userId: string,
): Promise<boolean> {
  const { user } = await client.users.info({ user: userId })
  if (!user || user.deleted === true || !isMember(user, workspace.id)) return false
  if (!isOrganization(workspace.id)) return user.is_admin === true || user.is_owner === true
  return user.enterprise_user?.is_admin === true || user.enterprise_user?.is_owner === true
}

/**
 * Asks Slack whether the user is a guest, of one channel (`is_ultra_restricted`) or of several. People of
 * other companies, who use a channel that both share, count as guests.
 */
export async function isGuest(
  { client, workspace: { id } }: Pick<Caller, 'client' | 'workspace'>,
  userId: string,
): Promise<boolean> {
  const { user } = await client.users.info({ user: userId })
  if (!user) throw new Error('Slack did not describe the user')
  return !isMember(user, id) || user.is_restricted === true || user.is_ultra_restricted === true
}

/** Whether a user belongs to a workspace or an organization, and not to another company. */
function isMember({ team_id: team, enterprise_user, is_stranger }: User, id: string): boolean {
  if (is_stranger === true) return false
  if (isOrganization(id)) return enterprise_user?.enterprise_id === id
  return team === undefined || team === id || enterprise_user?.teams?.includes(id) === true
}

type User = NonNullable<UsersInfoResponse['user']>

/** Asks Slack whether a person's account was deactivated. False if Slack doesn't say. */
export async function isDeactivated(
  { client }: Pick<Caller, 'client'>,
  userId: string,
): Promise<boolean> {
  return client.users.info({ user: userId }).then(
    ({ user }) => user?.deleted === true,
    () => false,
  )
}

/** The name of a user's time zone in the IANA database; `UTC` if Slack doesn't say, or names one that Node.js doesn't know. */
export async function timeZoneOf(
  { client }: Pick<Caller, 'client'>,
  userId: string,
): Promise<string> {
  return client.users
    .info({ user: userId })
    .then(({ user }) => new Intl.DateTimeFormat('en', { timeZone: user?.tz ?? 'UTC' }))
    .then((format) => format.resolvedOptions().timeZone)
    .catch(() => 'UTC')
}
