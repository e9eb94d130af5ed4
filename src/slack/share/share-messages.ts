import type { ConversationsSelect, ImageBlock, ModalView } from '@slack/types'
import {
  code,
  context,
  isPicture,
  type MessageContent,
  type PictureState,
  section,
} from '../block-kit/elements.ts'
import { formModal, input } from '../block-kit/inputs.ts'
import { previewSection, titleText } from '../block-kit/link-preview.ts'
import { bold, escape, mention } from '../block-kit/mrkdwn.ts'
import { readOnlyModal, warnings } from '../block-kit/notices.ts'
import {
  encodeLink,
  headline,
  qrBlocks,
  qrImage,
  type ShownLink,
  STATE_STEPS,
  STATE_TEXTS,
} from '../block-kit/shown-link.ts'
import { COMMAND, VIEWS } from '../ids.ts'

export function sharedLinkMessage(
  link: ShownLink,
  by: string,
  picture: PictureState,
  images: readonly ImageBlock[] = [],
): MessageContent {
  const { preview_title: title } = link
  return {
    text: `${mention(by)} shared a short link: ${escape(link.shortlink_url)}`,
    blocks: [
      section(headline(link)),
      ...previewSection(title && bold(titleText(title)), link),
      ...images,
      ...(isPicture(picture) ? [qrImage(link.shortlink_url, picture)] : []),
      context(`Shared by ${mention(by)}`),
    ],
  }
}

export function notSharedText(shortUrl: string, state: 'off' | 'expired'): string {
  return `${shortUrl} ${STATE_TEXTS[state]}, so it was not shared. ${STATE_STEPS[state]} in its menu in ${COMMAND} list, then share it.`
}

export function shareModal(
  link: ShownLink,
  picture: PictureState,
  notice: readonly string[] = [],
): ModalView {
  const { shortlink_url: shortUrl, state } = link
  const title = 'Share a link'
  const blocks = [
    section(headline(link)),
    code(shortUrl),
    ...qrBlocks(shortUrl, picture),
    ...(picture === undefined
      ? [
          context(
            'Slack doesn’t accept the QR image right now. To see it, close this and try again in a minute.',
          ),
        ]
      : []),
  ]
  const metadata = encodeLink(link)
  if (state || metadata === undefined) {
    const why = state
      ? `This short link ${STATE_TEXTS[state]}. ${STATE_STEPS[state]}, then use it.`
      : 'This link is too long to be shared from here.'
    return readOnlyModal(title, [...warnings([why]), ...blocks])
  }
  return formModal({
    callbackId: VIEWS.share,
    metadata,
    title,
    submit: 'Share',
    notice,
    blocks: [
      ...blocks,
      input<ConversationsSelect>(
        'share_in',
        {
          type: 'conversations_select',
          response_url_enabled: true,
          default_to_current_conversation: true,
        },
        { optional: false, hint: 'Everyone there sees the link, and that you shared it.' },
      ),
    ],
  })
}
