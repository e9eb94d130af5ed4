import type { Context } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import { workspaceId, type Workspace } from '../../workspaces/workspace.ts'

/** The user and the workspace that a request comes from, and what the workspace allows the app to do. */
export interface Caller {
  workspace: Workspace
  client: WebClient
  token: string
  userId?: string | undefined
  userName?: string | undefined
  mayReadFiles: boolean
  mayShowCards: boolean
  mayUploadFiles: boolean
}

/** The members of Slack's payloads that are read for every kind of request. */
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
  event?: { type?: string; user?: string } | null
  response_url?: string
  response_urls?: { response_url: string; channel_id?: string }[]
  message?: { ts?: string; thread_ts?: string }
  container?: { thread_ts?: string }
}

export function readCaller(context: Context, client: WebClient, body: object): Caller {
  const { team_domain, team, user_name, user } = body as SlackPayload
  const { scopes, workspaceName } = context as { scopes?: unknown; workspaceName?: string }
  // If Slack doesn't list the token's scopes, the app assumes all of them. A call without its scope then fails.
  const isGranted = (scope: string): boolean => !Array.isArray(scopes) || scopes.includes(scope)
  return {
    workspace: { id: workspaceId(context), name: workspaceName ?? team_domain ?? team?.domain },
    client,
    token: context.botToken ?? '',
    userId: context.userId,
    userName: user_name ?? user?.name,
    mayReadFiles: isGranted('files:read'),
    mayShowCards: isGranted('links:write'),
    mayUploadFiles: isGranted('files:write'),
  }
}

/** Where to send the answer to a request (replies.ts). */
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

/** Returns the target for an answer that only the user should see: a direct message instead of a reply in a thread. */
export function privateTarget(target: ReplyTarget): ReplyTarget {
  return target.inChannel ? { userId: target.userId } : target
}
