import type { UsersInfoResponse } from '@slack/web-api'
import { createRequestMemory } from '../../http/request-context.ts'
import { within, type Clock } from '../../timing/clock.ts'
import { isOrganization } from '../../workspaces/workspace.ts'
import { cut } from '../block-kit/mrkdwn.ts'
import type { Caller } from './caller.ts'
import { MAX_SHOWN_VALUE, SlackInputError } from './field-errors.ts'

export type Rank = 'admin' | 'member' | 'guest'

/**
 * If an organization has installed the app, only its admins and owners count as admins. People of another company in a
 * shared channel and deactivated users count as guests.
 */
export function rankIn(user: User, workspaceId: string): Rank {
  const { deleted, is_restricted, is_ultra_restricted } = user
  if (!isMember(user, workspaceId) || deleted || is_restricted || is_ultra_restricted) {
    return 'guest'
  }
  const { is_admin, is_owner } = isOrganization(workspaceId) ? (user.enterprise_user ?? {}) : user
  return is_admin === true || is_owner === true ? 'admin' : 'member'
}

export async function readRank(
  { client, workspace: { id } }: Pick<Caller, 'client' | 'workspace'>,
  userId: string,
): Promise<Rank> {
  const { user } = await client.users.info({ user: userId })
  if (!user) throw new Error('Slack did not describe the user')
  return rankIn(user, id)
}

export async function isAdmin(...user: Parameters<typeof readRank>): Promise<boolean> {
  return (await readRank(...user)) === 'admin'
}

function isMember({ team_id: team, enterprise_user, is_stranger }: User, id: string): boolean {
  if (is_stranger === true) return false
  if (isOrganization(id)) return enterprise_user?.enterprise_id === id
  return team === undefined || team === id || enterprise_user?.teams?.includes(id) === true
}

type User = NonNullable<UsersInfoResponse['user']>

const NAME_WITHIN_MS = 1_000

type NamedCaller = Pick<Caller, 'client' | 'workspace' | 'userId' | 'userName'>

/** Asks Slack for display names, once in a request. If Slack is slow, returns the user name from the payload. */
export function createDisplayNames(clock: Clock) {
  const names = createRequestMemory<Promise<string | undefined>>()
  async function ask({ client, userId = '' }: NamedCaller): Promise<string | undefined> {
    const { user } = await client.users.info({ user: userId }).catch(() => ({ user: undefined }))
    return user?.profile?.display_name || user?.real_name || user?.name
  }
  return async (caller: NamedCaller): Promise<string> => {
    const key = `${caller.workspace.id} ${caller.userId}`
    const asking = names.get(key) ?? ask(caller)
    names.set(key, asking)
    const name = await within(clock, NAME_WITHIN_MS, asking)
    return name?.value ?? caller.userName ?? ''
  }
}

const MEMBERS_PER_PAGE = 1_000
const MAX_REQUESTS = 5

/**
 * Replaces `@Ana García` in a command with `<@U0ANA>`. If several names match, the longest one wins. Slack could do
 * this itself, but would then rewrite the URLs in commands, too.
 */
export async function withMention({ client }: Pick<Caller, 'client'>, text: string) {
  const [before = '', afterAt] = text.split(/(?<=^|\s)@(?=\S)(.*)/su)
  const isQuoted = before.replaceAll(/[^"“”]/g, '').length % 2 === 1
  if (afterAt === undefined || isQuoted) return text
  const lower = `${afterAt.toLowerCase()} `
  let best = { length: 0, id: '' }
  let cursor: string | undefined
  for (let requests = 0; requests < MAX_REQUESTS; requests++) {
    const page = await client.users.list({ limit: MEMBERS_PER_PAGE, ...(cursor && { cursor }) })
    for (const { id = '', name, real_name, profile } of page.members ?? []) {
      for (const memberName of [name, profile?.display_name, real_name]) {
        const { length = 0 } = memberName ?? {}
        const isTyped = lower.startsWith(`${memberName?.toLowerCase().trim()} `)
        if (isTyped && length > best.length) best = { length, id }
      }
    }
    cursor = page.response_metadata?.next_cursor
    if (!cursor) break
  }
  if (best.id) return `${before}<@${best.id}>${afterAt.slice(best.length)}`
  const [name = ''] = afterAt.split(/\s/)
  throw new SlackInputError(
    `Backhalf found no member called “@${cut(name, MAX_SHOWN_VALUE)}”. Choose one from Slack’s suggestions. To search for such a word, put it in quotes.`,
  )
}

/** Returns a user's time zone, such as `Europe/Berlin`; `UTC` if Slack names none, or one that Node.js doesn't know. */
export async function readTimeZone({ client }: Pick<Caller, 'client'>, userId: string) {
  return client.users
    .info({ user: userId })
    .then(({ user }) => new Intl.DateTimeFormat('en', { timeZone: user?.tz ?? 'UTC' }))
    .then((format) => format.resolvedOptions().timeZone)
    .catch(() => 'UTC')
}
