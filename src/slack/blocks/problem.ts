import type { SectionBlock } from '@slack/types'
import { section, type MessageContent } from './elements.ts'
import { cut } from './limits.ts'
import { escape } from './mrkdwn.ts'

/** Room for what was typed, in a section with a few words around it. */
const TYPED = 2_900

/**
 * Something that went wrong, in words, with what was typed, so that nobody has to type it again.
 *
 * @param messages what happened and what to do, one or more
 * @param typed what was typed, as a whole
 */
export function problem(messages: readonly string[], typed?: string): MessageContent {
  const text = messages.join('\n')
  return {
    text: escape(cut(text, 1000)),
    blocks: [
      section(messages.map((message) => `:warning: ${escape(message)}`).join('\n')),
      ...(typed ? [whatWasTyped(typed)] : []),
    ],
  }
}

/** To be copied from. */
export function whatWasTyped(typed: string): SectionBlock {
  return section(`You typed \`${escape(typed.replaceAll('`', "'"), TYPED)}\``)
}
