import { context, section, type MessageContent } from './elements.ts'
import { cut } from './limits.ts'
import { escape } from './mrkdwn.ts'

/**
 * Something that went wrong, in words, with what was typed, so that nobody has to type it again.
 *
 * @param messages what happened and what to do, one or more
 * @param typed the command as it was typed
 */
export function problem(messages: readonly string[], typed?: string): MessageContent {
  const text = messages.join('\n')
  return {
    text: escape(cut(text, 1000)),
    blocks: [
      section(messages.map((message) => `:warning: ${escape(message)}`).join('\n')),
      ...(typed ? [context(`You typed \`${escape(cut(typed.replaceAll('`', "'"), 1800))}\``)] : []),
    ],
  }
}
