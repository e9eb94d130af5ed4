import type { KnownBlock, ModalView, SectionBlock } from '@slack/types'
import { ACTIONS, VIEWS } from '../ids.ts'
import { actions, button, code, context, plain, section, type MessageContent } from './elements.ts'
import { LIMITS } from './limits.ts'
import { cut, escape } from './mrkdwn.ts'

/** A modal with one text and nothing to submit. @param mrkdwn text that is already escaped */
export function noticeModal(title: string, mrkdwn: string): ModalView {
  return readOnlyModal(title, [section(mrkdwn)])
}

/** A modal with nothing to submit. */
export function readOnlyModal(
  title: string,
  blocks: KnownBlock[],
  { callbackId = VIEWS.notice, close = 'Close' }: { callbackId?: string; close?: string } = {},
): ModalView {
  return {
    type: 'modal',
    callback_id: callbackId,
    title: plain(title, LIMITS.viewTitle),
    close: plain(close, LIMITS.viewTitle),
    blocks,
  }
}

/** What was done with a link. The user sees it where the link is shown, so that nothing has to be closed. */
export interface Notice {
  /** As mrkdwn. */
  text: string
  /** The link's `name`: a list shows the notice below this link, or else at its top. */
  name?: string
  /** The value of the button that undoes it (`encodeNamedLink`). */
  undo?: string | undefined
}

/** @param blockId of a link at this position, for the button */
export function noticeBlock({ text, undo }: Notice, blockId: string): SectionBlock {
  if (undo === undefined) return section(text)
  const accessory = button('Undo', ACTIONS.undoTurnOff, { value: undo })
  return { ...section(text), block_id: blockId, accessory }
}

const WARNING = ':warning: '

/** Warnings at the top of a form, one section each. */
export function warnings(messages: readonly string[]): KnownBlock[] {
  return messages.map((message) => section(WARNING + escape(message)))
}

/** Whether a block of a form is one of its warnings. */
export function isWarning(block: KnownBlock): boolean {
  return block.type === 'section' && block.text?.text.startsWith(WARNING) === true
}

/** The maximum length of the shown input: more than a form holds, but no message gets too long. */
const MAX_TYPED_LENGTH = 9_000

/** What the user typed, so that nothing has to be typed again. */
export interface TypedInput {
  /** Shown to be copied. */
  typed?: string | undefined
  /** The text after `/shorten` that a button opens the form with; at most LIMITS.buttonValue. */
  command?: string | undefined
}

/** Shows what went wrong, and what the user typed. @param messages one or more sentences each */
export function problemMessage(
  messages: readonly string[],
  { typed, command }: TypedInput = {},
): MessageContent {
  return {
    text: escape(cut(messages.join('\n'), 1000)),
    blocks: [
      section(messages.map((message) => `:warning: ${escape(message)}`).join('\n')),
      ...(typed ? typedInputBlocks(typed) : []),
      ...(command
        ? actions([button('Change something', ACTIONS.changeCommand, { value: command })])
        : []),
    ],
  }
}

export function typedInputBlocks(typed: string): KnownBlock[] {
  return [context('You typed:'), code(cut(typed, MAX_TYPED_LENGTH))]
}
