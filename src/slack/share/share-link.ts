import type { ConversationsSelect, ImageBlock, KnownBlock, ModalView } from '@slack/types'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import { code, context, present, section, warnings } from '../block-kit/elements.ts'
import {
  isPicture,
  type MessageContent,
  type PictureState,
  qrBlocks,
  qrImage,
  qrMessage,
} from '../block-kit/messages.ts'
import { formModal, input } from '../block-kit/inputs.ts'
import { previewImages, previewSection, titleText } from '../block-kit/link-preview.ts'
import { bold, escape, mention } from '../block-kit/mrkdwn.ts'
import { readOnlyModal } from '../block-kit/notices.ts'
import {
  decodeLink,
  encodeLink,
  headline,
  type ShownLink,
  STATE_STEPS,
  STATE_TEXTS,
} from '../block-kit/shown-link.ts'
import { COMMAND, VIEWS } from '../ids.ts'
import { currentLink } from '../links/current-link.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller, ReplyTarget } from '../platform/caller.ts'
import { fieldErrorText, SlackInputError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { FormSubmission } from '../platform/listeners.ts'
import { isPictureRefused, showWithPicture } from '../platform/pictures.ts'
import type { Show } from '../platform/views.ts'

/**
 * Shares a link in a conversation, even if the app is not in it.
 * @param place the ID of the message or form with the button
 * @returns false if an earlier click has shared the link, or is sharing it
 */
export async function shareLink(
  platform: LinkPlatform,
  caller: Caller,
  target: ReplyTarget,
  link: ShownLink,
  place: string,
): Promise<boolean> {
  const { doOnce, qrSource, reachesLoopback, replies } = platform
  const { preview_title, shortlink_url: shortUrl, state } = link
  const { userId: by } = target
  if (state) throw new SlackInputError(notSharedText(shortUrl, state))
  const images = previewImages(link, preview_title ?? shortUrl, reachesLoopback)
  const post = async (shownImages: typeof images): Promise<void> =>
    replies.sendWithPicture(
      caller.client,
      { ...target, inChannel: true },
      await qrSource(caller, link),
      {
        build({ picture, direct }) {
          if (!direct) return sharedLinkMessage(link, by, picture, shownImages)
          throw new SlackInputError(
            `Slack didn’t allow Backhalf to share ${shortUrl} there. Paste it into the conversation, or open the list again and share it there.`,
          )
        },
        buildPicture: (picture) => (isPicture(picture) ? qrMessage(shortUrl, picture) : undefined),
      },
    )
  const key = ['share', caller.workspace.id, by, place, shortUrl].join(' ')
  const shared = await doOnce(key, () =>
    post(images).catch((error: unknown) => {
      // Slack refuses the whole message if it can't fetch the preview's image.
      if (images.length > 0 && isPictureRefused(error)) return post([])
      throw error
    }),
  )
  return shared !== undefined
}

export async function showShareForm(
  { clock, qrSource, settings }: LinkPlatform,
  caller: Caller,
  link: ShownLink,
  show: Show,
): Promise<void> {
  await show(shareModal(link, 'follows'))
  const { qr } = await settings.read(caller.workspace.id)
  const qrColor = link.qrColor ?? qr.color ?? DEFAULT_COLOR
  const source = await qrSource(caller, { ...link, qrColor })
  await showWithPicture(clock, source, (picture) => show(shareModal(link, picture)))
}

export async function submitShareForm(platform: LinkPlatform, submission: FormSubmission) {
  const { caller, target, view } = submission
  const link = decodeLink(view.private_metadata)
  await answerForm(platform, submission, {
    work: async () =>
      shareLink(platform, caller, target, await currentLink(platform, caller, link), view.id),
    waiting: 'Sharing the link…',
    rebuild: async (issues) => shareModal(link, 'follows', issues.map(fieldErrorText)),
    done: (isNew) =>
      isNew
        ? 'The link has been shared.'
        : 'You have already shared this link here, or it is being shared. To share it again, open its menu again.',
    closesWhenDone: true,
  })
}

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
  const blocks = present<KnownBlock>([
    section(headline(link)),
    code(shortUrl),
    ...qrBlocks(shortUrl, picture),
    picture === undefined &&
      context(
        'Slack doesn’t accept the QR image right now. To see it, close this and try again in a minute.',
      ),
  ])
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
