import type { ConversationsSelect, ModalView } from '@slack/types'
import { context, input, plain, section, type MessageContent } from '../block-kit/elements.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { bold, cut, escape, link, mention, readableUrl } from '../block-kit/mrkdwn.ts'
import { problemMessage, readOnlyModal, warnings } from '../block-kit/notices.ts'
import {
  headline,
  isQrPicture,
  QR_NOT_ALLOWED,
  qrImage,
  type LinkRef,
  type QrPicture,
  type QrState,
} from '../block-kit/shown-link.ts'
import { SHARE_BLOCKS, VIEWS } from '../ids.ts'

/** What everyone in a conversation sees when a user shares a link. */
export function sharedLinkMessage(
  ref: LinkRef,
  { by, picture }: { by: string; picture?: QrPicture | undefined },
): MessageContent {
  return {
    text: `${mention(by)} shared a short link: ${escape(ref.shortUrl)}`,
    blocks: [
      section(headline(ref)),
      ...(picture ? [qrImage(ref.shortUrl, picture)] : []),
      context(`Shared by ${mention(by)}`),
    ],
  }
}

/** For the user who shared a link, if Slack no longer accepts messages for that conversation. */
export function notSharedMessage({ shortUrl }: LinkRef): MessageContent {
  return problemMessage([
    `Slack didn’t allow Backhalf to share ${shortUrl} there. Paste it into the conversation, or open the list again and share it from there.`,
  ])
}

/**
 * The QR code, for the user who asked for it.
 *
 * @param picture undefined if Slack does not accept it
 */
export function qrMessage(ref: LinkRef, picture: QrState): MessageContent {
  if (picture === 'not_allowed') return problemMessage([QR_NOT_ALLOWED])
  if (!isQrPicture(picture)) {
    return problemMessage(['Slack doesn’t accept the QR image right now. Try again in a minute.'])
  }
  return {
    text: `QR code for ${escape(ref.shortUrl)}`,
    blocks: [
      section(`QR code for ${link(ref.shortUrl, readableUrl(ref.shortUrl))}`),
      qrImage(ref.shortUrl, picture),
    ],
  }
}

export function qrModal(ref: LinkRef, picture: QrState): ModalView {
  return readOnlyModal('QR code', qrMessage(ref, picture).blocks)
}

const MAX_TITLE_LENGTH = 150

/**
 * Asks in which conversation to share a link.
 *
 * @param metadata the encoded link, which comes back with the form
 * @param notice shown at the top of the form
 */
export function shareModal(
  { shortUrl, title }: LinkRef,
  metadata: string,
  notice: readonly string[] = [],
): ModalView {
  const titleLine = title ? `${bold(cut(title, MAX_TITLE_LENGTH))}\n` : ''
  return {
    type: 'modal',
    callback_id: VIEWS.share,
    private_metadata: metadata,
    title: plain('Share a link', LIMITS.viewTitle),
    submit: plain('Share', LIMITS.viewTitle),
    close: plain('Cancel', LIMITS.viewTitle),
    blocks: [
      ...warnings(notice),
      section(`${titleLine}${link(shortUrl, readableUrl(shortUrl))}`),
      input<ConversationsSelect>(
        SHARE_BLOCKS.conversation,
        'Share in',
        { type: 'conversations_select', response_url_enabled: true },
        { optional: false, hint: 'Everyone there sees the link, and that you shared it.' },
      ),
    ],
  }
}
