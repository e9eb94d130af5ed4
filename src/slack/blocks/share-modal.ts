import type { ConversationsSelect, ModalView } from '@slack/types'
import { SHARE_BLOCKS, VIEWS } from '../ids.ts'
import { input, plain, section } from '../block-kit/elements.ts'
import type { LinkRef } from './link-ref.ts'
import { cut, LIMITS } from './limits.ts'
import { bold, escape, link, readable } from './mrkdwn.ts'

/**
 * Asks where a link is to be shared, where there is no conversation to share it in.
 *
 * @param metadata the link, as the form brings it back
 * @param notice why it is here again, for its top
 */
export function shareModal(
  { shortUrl, title }: LinkRef,
  metadata: string,
  notice: readonly string[] = [],
): ModalView {
  const name = title ? `${bold(cut(title, 150))}\n` : ''
  return {
    type: 'modal',
    callback_id: VIEWS.share,
    private_metadata: metadata,
    title: plain('Share a link', LIMITS.viewTitle),
    submit: plain('Share', LIMITS.viewTitle),
    close: plain('Cancel', LIMITS.viewTitle),
    blocks: [
      ...notice.map((message) => section(`:warning: ${escape(message)}`)),
      section(`${name}${link(shortUrl, readable(shortUrl))}`),
      input<ConversationsSelect>(
        SHARE_BLOCKS.conversation,
        'Share in',
        { type: 'conversations_select', response_url_enabled: true },
        { optional: false, hint: 'Everybody there sees the link, and that you shared it.' },
      ),
    ],
  }
}
