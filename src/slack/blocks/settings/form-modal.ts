import type { KnownBlock, ModalView } from '@slack/types'
import { plain, section } from '../../block-kit/elements.ts'
import { LIMITS } from '../limits.ts'
import { escape } from '../mrkdwn.ts'

/** What stands around a settings form's own blocks. */
export interface FormFrame {
  /** Why the form is here again, for its top. */
  notice?: readonly string[] | undefined
}

/** A form that lies on the settings. */
export function formModal({
  callbackId,
  title,
  submit = 'Save',
  close = 'Back',
  metadata = '',
  notice = [],
  blocks,
}: FormFrame & {
  callbackId: string
  title: string
  submit?: string
  close?: string
  /** Which of several it is about. */
  metadata?: string
  blocks: KnownBlock[]
}): ModalView {
  return {
    type: 'modal',
    callback_id: callbackId,
    private_metadata: metadata,
    title: plain(title, LIMITS.viewTitle),
    submit: plain(submit, LIMITS.viewTitle),
    close: plain(close, LIMITS.viewTitle),
    blocks: [...notice.map((message) => section(`:warning: ${escape(message)}`)), ...blocks],
  }
}
