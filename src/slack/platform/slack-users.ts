import type { UsersInfoResponse } from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import { within, type Clock } from '../../timing/clock.ts'
import { isOrganization } from '../../workspaces/workspace.ts'
import type { Caller } from './caller.ts'

/** A user's role in the workspace. Users whom Slack doesn't describe as its members count as guests. */
type Rank = 'admin' | 'member' | 'guest'

/**
 * Asks Slack who a user is. Admins and owners administer the workspace. If the app is installed for a whole organization,
 * only the organization's admins and owners count, because what they decide affects all of its workspaces. People of
 * another company, who use a channel that both share, count as guests, like guests of one channel
 * (`is_ultra_restricted`) or of several.
 */
export async function rankOf(
  { client, workspace: { id } }: Pick<Caller, 'client' | 'workspace'>,
  userId: string,
): Promise<Rank> {
  const { user } = await client.users.info({ user: userId })
  if (!user) throw new Error('Slack did not describe the user')
  if (!isMember(user, id) || user.is_restricted === true || user.is_ultra_restricted === true) {
    return 'guest'
  }
  const { is_admin, is_owner } = isOrganization(id) ? (user.enterprise_user ?? {}) : user
  return user.deleted !== true && (is_admin === true || is_owner === true) ? 'admin' : 'member'
}

export async function isAdmin(...user: Parameters<typeof rankOf>): Promise<boolean> {
  return (await rankOf(...user)) === 'admin'
}

/** Whether a user belongs to a workspace or an organization, and not to another company. */
function isMember({ team_id: team, enterprise_user, is_stranger }: User, id: string): boolean {
  if (is_stranger === true) return false
  if (isOrganization(id)) return enterprise_user?.enterprise_id === id
  return team === undefined || team === id || enterprise_user?.teams?.includes(id) === true
}

type User = NonNullable<UsersInfoResponse['user']>

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
