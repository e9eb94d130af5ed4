/**
 * Where an answer goes. A `response_url` reaches every conversation, even one that the app is not in.
 * If there is none, or if it fails, the answer becomes an ephemeral or a direct message (reply-routes.ts).
 */
export interface ReplyTarget {
  userId: string
  /** Accepts 5 answers within 30 minutes. */
  responseUrl?: string | undefined
  /** The conversation, for an ephemeral message if the `response_url` fails. */
  channelId?: string | undefined
  /** The thread to answer in. Slack shows an ephemeral message there only while the thread is open. */
  threadTs?: string | undefined
  /** Whether everyone in the conversation sees the answer. In a thread, an ephemeral one could be lost. */
  inChannel?: boolean | undefined
  /**
   * Whether the answer replaces the message whose button was pressed. `only`: it is never a new message, so it
   * isn't sent if the `response_url` no longer works (DeadResponseUrlError).
   */
  replacesOriginal?: boolean | 'only' | undefined
}

/** The parts of Slack's payloads that decide where an answer goes. */
export interface ReplyPayload {
  type?: string | undefined
  /** In slash commands. */
  user_id?: string | undefined
  /** In slash commands. */
  channel_id?: string | undefined
  /** In everything else. */
  user?: { id: string } | undefined
  channel?: { id: string } | undefined
  /** In events. */
  event?: { user?: string } | undefined
  response_url?: string | undefined
  /** In a form with a `response_url_enabled` menu of conversations. */
  response_urls?: { response_url: string; channel_id?: string }[] | undefined
  message?: { ts?: string; thread_ts?: string } | undefined
  container?: { thread_ts?: string } | undefined
}

/** Where the answer to a payload goes. */
export function replyTargetOf(payload: ReplyPayload): ReplyTarget {
  const userId = payload.user_id ?? payload.user?.id ?? payload.event?.user ?? ''
  const responseUrl = payload.response_url ?? payload.response_urls?.[0]?.response_url
  const threadTs = payload.message?.thread_ts ?? payload.container?.thread_ts
  const channelId =
    payload.channel_id ?? payload.channel?.id ?? payload.response_urls?.[0]?.channel_id
  if (payload.type === 'message_action') {
    const thread = threadTs ?? payload.message?.ts
    return { userId, responseUrl, channelId, threadTs: thread, inChannel: true }
  }
  return { userId, responseUrl, channelId, threadTs }
}

/** Where to send an answer that only the user should see: not to a thread, which everyone sees. */
export function privateTarget(target: ReplyTarget): ReplyTarget {
  return target.inChannel ? { userId: target.userId } : target
}
