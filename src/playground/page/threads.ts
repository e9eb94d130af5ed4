import type { Message } from '../../simulator/protocol.ts'

/** A top-level message with its replies. */
export interface Thread {
  message: Message
  replies: Message[]
  /** Whether it follows another message by the same author, and so needs no name. */
  continued: boolean
}

/** Messages by one author within this many seconds are grouped. */
const GROUP_SECONDS = 5 * 60

/** Puts replies below the messages that they answer, and groups messages by the same author. */
export function threadsOf(messages: readonly Message[]): Thread[] {
  const replies = new Map<string, Message[]>()
  for (const message of messages) if (isRoot(message)) replies.set(message.ts, [])
  // If this person does not see the parent of a reply, the reply is at the top level.
  const heads = messages.filter((message) => {
    const thread = isRoot(message) ? undefined : replies.get(message.threadTs ?? '')
    thread?.push(message)
    return !thread
  })
  const threads: Thread[] = []
  for (const message of heads) {
    const continued = continues(message, threads.at(-1))
    threads.push({ message, replies: replies.get(message.ts) ?? [], continued })
  }
  return threads
}

function isRoot({ ts, threadTs }: Message): boolean {
  return threadTs === undefined || threadTs === ts
}

function continues(message: Message, before: Thread | undefined): boolean {
  if (!before || before.replies.length > 0 || before.message.ephemeral || message.ephemeral) {
    return false
  }
  return (
    authorKey(before.message) === authorKey(message) &&
    Number(message.ts) - Number(before.message.ts) < GROUP_SECONDS
  )
}

function authorKey({ author }: Message): string {
  return author.kind === 'app' ? 'app' : author.id
}
