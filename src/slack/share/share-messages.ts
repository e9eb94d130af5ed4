import type { ConversationsSelect, ImageBlock, ModalView } from '@slack/types'
import {
  context,
  isPicture,
  section,
  type MessageContent,
  type PictureState,
} from '../block-kit/elements.ts'
import { formModal, input } from '../block-kit/inputs.ts'
import { COMMAND, VIEWS } from '../ids.ts'
import { previewSection, titleText } from '../block-kit/link-preview.ts'
import { bold, cut, escape, link, mention, readableUrl } from '../block-kit/mrkdwn.ts'
import { noticeModal, readOnlyModal, warnings } from '../block-kit/notices.ts'
import {
  headline,
  QR_NOT_ALLOWED,
  qrImage,
  STATE_STEPS,
  STATE_TEXTS,
  type ShownLink,
} from '../block-kit/shown-link.ts'

/** What everyone in a conversation sees when a user shares a link. */
export function sharedLinkMessage(
  shared: ShownLink,
  {
    by,
    picture,
    images = [],
  }: { by: string; picture?: PictureState; images?: readonly ImageBlock[] },
): MessageContent {
  const { preview_title: title } = shared
  return {
    text: `${mention(by)} shared a short link: ${escape(shared.shortlink_url)}`,
    blocks: [
      section(headline(shared)),
      ...previewSection(title && bold(titleText(title)), shared),
      ...images,
      ...(isPicture(picture) ? [qrImage(shared.shortlink_url, picture)] : []),
      context(`Shared by ${mention(by)}`),
    ],
  }
}

/** Why a link that leads nowhere now isn't shared, and what to do. */
export function notSharedText(shortUrl: string, state: 'off' | 'expired'): string {
  return `${shortUrl} ${STATE_TEXTS[state]}, so it was not shared. ${STATE_STEPS[state]} in its menu in ${COMMAND} list, then share it.`
}

/** For the user who shares a link, if Slack no longer accepts messages for that conversation. */
export function notAllowedText(shortUrl: string): string {
  return `Slack didn’t allow Backhalf to share ${shortUrl} there. Paste it into the conversation, or open the list again and share it there.`
}

/** The QR code, for the user who asked for it. @param picture undefined if Slack does not accept it */
export function qrModal(shortUrl: string, picture: PictureState): ModalView {
  return readOnlyModal(
    'QR code',
    isPicture(picture)
      ? [
          section(`QR code for ${link(shortUrl, readableUrl(shortUrl))}`),
          qrImage(shortUrl, picture),
        ]
      : warnings([
          picture === 'not_allowed'
            ? QR_NOT_ALLOWED
            : 'Slack doesn’t accept the QR image right now. Try again in a minute.',
        ]),
  )
}

const MAX_TITLE_LENGTH = 150

/**
 * Asks in which conversation to share a link.
 *
 * @param metadata the encoded link, which comes back with the form
 * @param notice shown at the top of the form
 */
export function shareModal(
  { shortlink_url: shortUrl, title }: ShownLink,
  metadata: string,
  notice: readonly string[] = [],
): ModalView {
  const titleLine = title ? `${bold(cut(title, MAX_TITLE_LENGTH))}\n` : ''
  return formModal({
    callbackId: VIEWS.share,
    metadata,
    title: 'Share a link',
    submit: 'Share',
    notice,
    blocks: [
      section(`${titleLine}${link(shortUrl, readableUrl(shortUrl))}`),
      input<ConversationsSelect>(
        'share_in',
        { type: 'conversations_select', response_url_enabled: true },
        { optional: false, hint: 'Everyone there sees the link, and that you shared it.' },
      ),
    ],
  })
}

export const ALREADY_SHARED =
  'You have already shared this link here, or it is being shared. To share it again, reopen the list.'

/** @param isNew false if an earlier click shared it */
export function sharedModal(isNew: boolean): ModalView {
  return noticeModal('Share a link', isNew ? 'The link has been shared.' : ALREADY_SHARED)
}
