import type { Button, KnownBlock, ModalView, SectionBlock } from '@slack/types'
import { ACTIONS, VIEWS } from '../ids.ts'
import { actions, button, code, context, LIMITS, plain, section } from './elements.ts'
import { cut, escape, warningText } from './mrkdwn.ts'

export function noticeModal(title: string, mrkdwn: string): ModalView {
  return readOnlyModal(title, [section(mrkdwn)])
}

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

/** Says what was done with a link. A notice is shown next to the link, so that the user has no modal to close. */
export interface Notice {
  text: string
  name?: string // A list shows the notice below the link with this name, or at its top.
  undo?: string | undefined
}

export function noticeBlock({ text, undo }: Notice, blockId: string): SectionBlock {
  if (undo === undefined) return section(text)
  const accessory = button('Undo', ACTIONS.undoTurnOff, { value: undo })
  return section(text, accessory, blockId)
}

const MAX_TYPED_LENGTH = 9_000 // more than any form holds, but short enough for a message

export interface TypedInput {
  typed?: string | undefined
  /** What a button fills into the form: the text after `/shorten`, at most LIMITS.buttonValue long. */
  command?: string | undefined
}

export function problemMessage(messages: readonly string[], { typed, command }: TypedInput = {}) {
  return {
    text: escape(cut(messages.join('\n'), 1000)),
    blocks: [
      section(messages.map(warningText).join('\n')),
      ...(typed ? typedInputBlocks(typed) : []),
      ...actions([command && changeCommandButton(command)]),
    ],
  }
}

export function changeCommandButton(command: string): Button {
  return button('Change something', ACTIONS.changeCommand, { value: command })
}

export function typedInputBlocks(typed: string): KnownBlock[] {
  return [context('You typed:'), code(cut(typed, MAX_TYPED_LENGTH))]
}
