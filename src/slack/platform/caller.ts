import type { AllMiddlewareArgs } from '@slack/bolt'
import type { UsersInfoResponse, WebClient } from '@slack/web-api'
import { z } from 'zod'
import { createRequestMemory } from '../../http/request-context.ts'
import { within, type Clock } from '../../timing/clock.ts'
import { isOrganization, workspaceId, type Workspace } from '../../workspaces/workspace.ts'

export interface Caller {
  workspace: Workspace
  client: WebClient
  userId?: string | undefined
  userName?: string | undefined
  mayReadFiles: boolean
  mayShowCards: boolean
  mayUploadFiles: boolean
}

/** The members of Slack's payloads that say what a request is, and with which token it is answered. */
export interface SlackPayload {
  type?: string
  command?: string
  text?: string
  callback_id?: string
  actions?: { action_id?: string }[]
  view?: { callback_id?: string } | null
  event_id?: string
  trigger_id?: string
  enterprise?: { id?: string } | null
  team_id?: string
  team_domain?: string
  team?: { id?: string; domain?: string } | null
  user_id?: string
  user_name?: string
  user?: { id: string; name?: string }
  channel_id?: string
  channel?: { id: string }
  event?: {
    type?: string
    user?: string
    function_execution_id?: string
    bot_access_token?: string
  } | null
  response_url?: string
  response_urls?: { response_url: string; channel_id?: string }[]
  message?: { ts?: string; thread_ts?: string }
  container?: { thread_ts?: string }
}

export type BoltRequest = Pick<AllMiddlewareArgs, 'client' | 'context'> & { body: object }

export function readCaller({ client, context, body }: BoltRequest): Caller {
  const { team_domain, team, user_name, user }: SlackPayload = body
  const { scopes, workspaceName } = context as { scopes?: unknown; workspaceName?: string }
  // If Slack doesn't list the token's scopes, the app assumes all of them. A call without its scope then fails.
  const isGranted = (scope: string): boolean => !Array.isArray(scopes) || scopes.includes(scope)
  return {
    workspace: { id: workspaceId(context), name: workspaceName ?? team_domain ?? team?.domain },
    client,
    userId: context.userId,
    userName: user_name ?? user?.name,
    mayReadFiles: isGranted('files:read'),
    mayShowCards: isGranted('links:write'),
    mayUploadFiles: isGranted('files:write'),
  }
}

export const replyTarget = z.object({
  userId: z.string(),
  responseUrl: z.string().optional(),
  channelId: z.string().optional(),
  threadTs: z.string().optional(),
  /** If true, everyone sees the answer. Set in threads, because ephemeral messages appear only in open threads. */
  inChannel: z.boolean().optional(),
})

export interface ReplyTarget extends z.infer<typeof replyTarget> {
  /**
   * If true, the answer replaces the message whose button was pressed, or becomes a new message if that fails. With
   * `only`, no new message is sent. Instead, an error such as DeadResponseUrlError is thrown.
   */
  replacesOriginal?: boolean | 'only' | undefined
}

export function readReplyTarget(payload: SlackPayload): ReplyTarget {
  const userId = payload.user_id ?? payload.user?.id ?? payload.event?.user ?? ''
  // A form in which the user has chosen a channel has `response_urls` instead of `response_url`.
  const [chosenChannel] = payload.response_urls ?? []
  const responseUrl = payload.response_url ?? chosenChannel?.response_url
  const channelId = payload.channel_id ?? payload.channel?.id ?? chosenChannel?.channel_id
  const threadTs = payload.message?.thread_ts ?? payload.container?.thread_ts
  const target = { userId, responseUrl, channelId, threadTs }
  if (payload.type !== 'message_action') return target
  return { ...target, threadTs: threadTs ?? payload.message?.ts, inChannel: true }
}

/** For an answer that only the user should see: a direct message instead of a reply in a thread. */
export function privateTarget(target: ReplyTarget): ReplyTarget {
  return target.inChannel ? { userId: target.userId } : target
}

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

/** Returns a user's time zone, such as `Europe/Berlin`; `UTC` if Slack names none, or one that Node.js doesn't know. */
export async function readTimeZone({ client }: Pick<Caller, 'client'>, userId: string) {
  return client.users
    .info({ user: userId })
    .then(({ user }) => new Intl.DateTimeFormat('en', { timeZone: user?.tz ?? 'UTC' }))
    .then((format) => format.resolvedOptions().timeZone)
    .catch(() => 'UTC')
}
