import type { Message } from '../../simulator/protocol.ts'

export interface Thread {
  message: Message
  replies: Message[]
}

export function groupThreads(messages: readonly Message[]): Thread[] {
  const threads = new Map<string, Thread>()
  for (const message of messages) {
    // A reply whose parent the person can't see is shown at the top level.
    const parent = threads.get(message.threadTs ?? '')
    if (parent) parent.replies.push(message)
    else threads.set(message.ts, { message, replies: [] })
  }
  return [...threads.values()]
}
