/**
 * Where an answer goes. A `response_url` reaches every conversation, also one that the app is not
 * in; where there is none, or it is used up, the answer becomes a direct message.
 */
export interface ReplyTarget {
  userId: string
  /** Good for 5 answers within 30 minutes. */
  responseUrl?: string | undefined
  /** The thread to answer in. Slack shows an ephemeral message there only while it is open. */
  threadTs?: string | undefined
  /** Whether everybody may see the answer: so in threads, for the reason above. */
  inChannel?: boolean | undefined
  /** Whether it takes the place of the message whose button was pressed. */
  replaces?: boolean | undefined
}

/** As much of Slack's payloads as says where an answer goes. */
export interface Payload {
  type?: string | undefined
  /** Slash commands. */
  user_id?: string | undefined
  /** Everything else. */
  user?: { id: string } | undefined
  /** Events. */
  event?: { user?: string } | undefined
  response_url?: string | undefined
  /** A form with a `response_url_enabled` choice of conversation. */
  response_urls?: { response_url: string }[] | undefined
  message?: { ts?: string; thread_ts?: string } | undefined
  container?: { thread_ts?: string } | undefined
}

/** Where a person is told what nobody else should read: never in a thread for everybody. */
export function privately(target: ReplyTarget): ReplyTarget {
  return target.inChannel ? { userId: target.userId } : target
}

/** Reads where an answer to this payload goes. */
export function replyTarget(payload: Payload): ReplyTarget {
  const userId = payload.user_id ?? payload.user?.id ?? payload.event?.user ?? ''
  const responseUrl = payload.response_url ?? payload.response_urls?.[0]?.response_url
  const threadTs = payload.message?.thread_ts ?? payload.container?.thread_ts
  if (payload.type === 'message_action') {
    return { userId, responseUrl, threadTs: threadTs ?? payload.message?.ts, inChannel: true }
  }
  return { userId, responseUrl, threadTs }
}
