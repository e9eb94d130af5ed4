import type { UsersInfoResponse } from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import { within, type Clock } from '../../timing/clock.ts'
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

/** How many users' display names are remembered, and for how long, in milliseconds. */
const REMEMBERED_NAMES = 10_000
const REMEMBERED_MS = 3_600_000
/** How long the name in the payload is used if Slack doesn't say another one. */
const ASK_AGAIN_MS = 60_000

/** How long a create or a change waits for a name, in milliseconds. */
const NAME_WITHIN_MS = 1_000

type NamedCaller = Pick<Caller, 'client' | 'workspace' | 'userId' | 'userName'>

/**
 * Finds out the names that other people see in Slack. The payloads hold only the user names. Names are remembered, so
 * that Slack is not asked about each link. If Slack doesn't answer, the user name has to do.
 */
export function createDisplayNames(clock: Clock) {
  const names = new LRUCache<string, string, NamedCaller>({
    max: REMEMBERED_NAMES,
    ttl: REMEMBERED_MS,
    ttlResolution: 0,
    perf: clock,
    allowStale: true,
    fetchMethod: async (_key, _stale, { context: { client, userId = '', userName }, options }) => {
      const { user } = await client.users.info({ user: userId }).catch(() => ({ user: undefined }))
      if (!user) options.ttl = ASK_AGAIN_MS
      return user?.profile?.display_name || user?.real_name || user?.name || userName || ''
    },
  })
  return async (caller: NamedCaller): Promise<string> => {
    const name = names.fetch(`${caller.workspace.id} ${caller.userId}`, { context: caller })
    return (await within(clock, NAME_WITHIN_MS, name))?.value ?? caller.userName ?? ''
  }
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
