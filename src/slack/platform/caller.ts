import type { Context } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import { workspaceId, type Workspace } from '../../workspaces/workspace.ts'

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

interface PayloadWithNames {
  team_domain?: string | undefined
  team?: { domain?: string | undefined } | string | null | undefined
  user_name?: string | undefined
  user?: { name?: string | undefined } | string | undefined
}

export function readCaller(context: Context, client: WebClient, body: object): Caller {
  const { team_domain: commandTeam, team, user_name, user } = body as PayloadWithNames
  const { scopes, workspaceName } = context as { scopes?: unknown; workspaceName?: string }
  const name = workspaceName ?? commandTeam ?? (typeof team === 'object' ? team?.domain : undefined)
  // What Slack doesn't say is tried.
  const isGranted = (scope: string): boolean => !Array.isArray(scopes) || scopes.includes(scope)
  return {
    workspace: { id: workspaceId(context), name },
    client,
    token: context.botToken ?? '',
    userId: context.userId,
    userName: user_name ?? (typeof user === 'object' ? user.name : undefined),
    mayReadFiles: isGranted('files:read'),
    mayShowCards: isGranted('links:write'),
    mayUploadFiles: isGranted('files:write'),
  }
}

/**
 * The place that an answer goes to. A `response_url` works in every conversation, even one that the app is not in. If there
 * is none, or if it fails, the answer becomes an ephemeral or a direct message (replies.ts).
 */
export interface ReplyTarget {
  userId: string
  /** Accepts 5 answers within 30 minutes. */
  responseUrl?: string | undefined
  channelId?: string | undefined
  /** The thread to answer in. Slack shows an ephemeral message there only while the thread is open. */
  threadTs?: string | undefined
  /** In a thread, an ephemeral answer could be lost. */
  inChannel?: boolean | undefined
  /** Replaces the message whose button was pressed. `only` throws DeadResponseUrlError instead of sending a new one. */
  replacesOriginal?: boolean | 'only' | undefined
}

interface ReplyPayload {
  type?: string | undefined
  user_id?: string | undefined
  channel_id?: string | undefined
  user?: { id: string } | undefined
  channel?: { id: string } | undefined
  event?: { user?: string } | undefined
  response_url?: string | undefined
  response_urls?: { response_url: string; channel_id?: string }[] | undefined
  message?: { ts?: string; thread_ts?: string } | undefined
  container?: { thread_ts?: string } | undefined
}

export function readReplyTarget(payload: ReplyPayload): ReplyTarget {
  const userId = payload.user_id ?? payload.user?.id ?? payload.event?.user ?? ''
  const [chosen] = payload.response_urls ?? []
  const responseUrl = payload.response_url ?? chosen?.response_url
  const channelId = payload.channel_id ?? payload.channel?.id ?? chosen?.channel_id
  const threadTs = payload.message?.thread_ts ?? payload.container?.thread_ts
  const target = { userId, responseUrl, channelId, threadTs }
  if (payload.type !== 'message_action') return target
  return { ...target, threadTs: threadTs ?? payload.message?.ts, inChannel: true }
}

/** For an answer that only the user should see: not in a thread, which everyone sees. */
export function privateTarget(target: ReplyTarget): ReplyTarget {
  return target.inChannel ? { userId: target.userId } : target
}
