import type { KnownBlock, ModalView } from '@slack/types'
import { VIEWS } from '../ids.ts'
import { plain, section } from '../block-kit/elements.ts'
import { LIMITS } from './limits.ts'

/** A modal that only tells something. @param mrkdwn text whose foreign parts are escaped already */
export function noticeModal(title: string, mrkdwn: string): ModalView {
  return showingModal(title, [section(mrkdwn)])
}

/** A modal that only shows something. */
export function showingModal(title: string, blocks: KnownBlock[]): ModalView {
  return {
    type: 'modal',
    callback_id: VIEWS.notice,
    title: plain(title, LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks,
  }
}
