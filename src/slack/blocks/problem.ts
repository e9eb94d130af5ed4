import type { ActionsBlock, KnownBlock } from '@slack/types'
import { ACTIONS } from '../ids.ts'
import { button, code, context, section, type MessageContent } from '../block-kit/elements.ts'
import { cut } from './limits.ts'
import { escape } from './mrkdwn.ts'

/** Room for what was typed: more than a form takes, less than makes a message too long for Slack. */
const TYPED = 9_000

export interface WhatWasTyped {
  /** As a whole, to be copied from. */
  typed?: string | undefined
  /** What a button opens the form with, filled in; at most LIMITS.buttonValue. */
  command?: string | undefined
}

/**
 * Something that went wrong, in words, with what was typed, so that nobody has to type it again.
 *
 * @param messages what happened and what to do, one or more
 */
export function problem(
  messages: readonly string[],
  { typed, command }: WhatWasTyped = {},
): MessageContent {
  const text = messages.join('\n')
  return {
    text: escape(cut(text, 1000)),
    blocks: [
      section(messages.map((message) => `:warning: ${escape(message)}`).join('\n')),
      ...(typed ? whatWasTyped(typed) : []),
      ...(command ? [changeButton(command)] : []),
    ],
  }
}

/** To be copied from. */
export function whatWasTyped(typed: string): KnownBlock[] {
  return [context('You typed:'), code(cut(typed, TYPED))]
}

function changeButton(command: string): ActionsBlock {
  const change = button('Change something', ACTIONS.changeCommand, { value: command })
  return { type: 'actions', elements: [change] }
}
