import type { Message } from '../protocol.ts'

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
  const roots = new Set(messages.filter(isRoot).map(({ ts }) => ts))
  const threads: Thread[] = []
  for (const message of messages) {
    // A reply whose parent this person does not see stands alone.
    if (!isRoot(message) && roots.has(message.threadTs ?? '')) continue
    const replies = messages.filter((one) => one.threadTs === message.ts && !isRoot(one))
    threads.push({ message, replies, continued: continues(message, threads.at(-1)) })
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
