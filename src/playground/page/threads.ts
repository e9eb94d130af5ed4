import type { Message } from '../../simulator/protocol.ts'

/** A message of the conversation itself, with its replies. */
export interface Thread {
  message: Message
  replies: Message[]
  /** Whether it follows its author's last message so closely that the name need not stand again. */
  continued: boolean
}

/** Messages of one author within this many seconds stand together. */
const TOGETHER = 5 * 60

/** Messages as they are shown: replies below what they answer, neighbours together. */
export function threadsOf(messages: readonly Message[]): Thread[] {
  const replies = new Map<string, Message[]>()
  for (const message of messages) if (isRoot(message)) replies.set(message.ts, [])
  // A reply whose parent this person does not see stands alone, as what begins a thread does.
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
    Number(message.ts) - Number(before.message.ts) < TOGETHER
  )
}

function authorKey({ author }: Message): string {
  return author.kind === 'app' ? 'app' : author.id
}
