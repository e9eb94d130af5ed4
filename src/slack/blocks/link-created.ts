import type { ModalView } from '@slack/types'
import type { Shortlink } from '../../contract/shortlink.ts'
import type { UtmParameter } from '../../contract/create-request.ts'
import { ACTIONS } from '../ids.ts'
import { button, context, section, type MessageContent } from '../block-kit/elements.ts'
import { namedUtm } from './field-labels.ts'
import { encodeLinkRef, type LinkRef } from './link-ref.ts'
import { cut } from './limits.ts'
import { noticeModal, showingModal } from './notice-modal.ts'
import { bold, escape, link, mention, readable } from './mrkdwn.ts'
import { problem } from './problem.ts'
import { qrImage, type QrPicture } from './qr-image.ts'

/** A link that was just made, with what its maker chose. */
export interface CreatedLink {
  shortlink: Omit<Shortlink, 'name'>
  utm: Partial<Record<UtmParameter, string>>
  /** The QR code's colour, `#RRGGBB`; absent where none was wanted. */
  qrColor?: string
}

/** How much of a title and a destination is shown, so that the links stay whole. */
const SHOWN_TITLE = 200
const SHOWN_DESTINATION = 300

/** A section, with a sentence below the link; a destination that leaves none is not linked. */
const HEADLINE = 2900

/**
 * The answer to whoever asked for a link.
 *
 * @param picture the QR image; absent where none was wanted, or where it can't be shown yet
 * @param shareable whether there is a channel to share it in
 */
export function linkCreated(
  created: CreatedLink,
  { picture, shareable }: { picture?: QrPicture | undefined; shareable: boolean },
): MessageContent {
  const { shortlink } = created
  const shortUrl = shortlink.shortlink_url
  const ref = encodeLinkRef(linkRef(created))
  const buttons = ref
    ? [
        ...(shareable ? [button('Share in channel', ACTIONS.shareLink, { value: ref })] : []),
        ...(created.qrColor && !picture
          ? [button('Show QR code', ACTIONS.showQr, { value: ref })]
          : []),
      ]
    : []
  return {
    text: `Your short link: ${escape(shortUrl)}`,
    blocks: [
      section(headline(shortUrl, shortlink.destination_url, shortlink.title)),
      context(choices(created)),
      ...(picture ? [qrImage(shortUrl, picture)] : []),
      ...(buttons.length > 0 ? [{ type: 'actions' as const, elements: buttons }] : []),
    ],
  }
}

/** What the form turns into, where making the link took longer than a form may wait. */
export function linkMade({ shortlink }: CreatedLink): ModalView {
  return noticeModal(
    'Your short link',
    `${headline(shortlink.shortlink_url, shortlink.destination_url, shortlink.title)}\n\nIt comes as a message too, so you can close this.`,
  )
}

/** What everybody in a channel sees of a link that somebody shared. */
export function linkShared(
  ref: LinkRef,
  { by, picture }: { by: string; picture?: QrPicture | undefined },
): MessageContent {
  return {
    text: `${mention(by)} shared a short link: ${escape(ref.shortUrl)}`,
    blocks: [
      section(headline(ref.shortUrl, ref.destination, ref.title)),
      ...(picture ? [qrImage(ref.shortUrl, picture)] : []),
      context(`Shared by ${mention(by)}`),
    ],
  }
}

/** The QR code alone, for whoever asked to see it. */
export function qrShown(ref: LinkRef, picture: QrPicture): MessageContent {
  return {
    text: `QR code for ${escape(ref.shortUrl)}`,
    blocks: [
      section(`The QR code of ${link(ref.shortUrl, readable(ref.shortUrl))}`),
      qrImage(ref.shortUrl, picture),
    ],
  }
}

/** The same in a modal. @param picture absent where Slack does not take it */
export function qrShownModal(ref: LinkRef, picture: QrPicture | undefined): ModalView {
  const { blocks } = picture ? qrShown(ref, picture) : qrNotShown()
  return showingModal('QR code', blocks)
}

export function qrNotShown(): MessageContent {
  return problem(['Slack doesn’t take the QR image just now. Try again in a minute.'])
}

/** For whoever shared a link, where Slack takes nothing for that conversation any more. */
export function linkNotShared({ shortUrl }: LinkRef): MessageContent {
  return problem([
    `Slack didn’t let me share ${shortUrl} there. Paste it into the conversation, or choose it in a new list and share it from there.`,
  ])
}

export function linkRef({ shortlink, qrColor }: CreatedLink): LinkRef {
  return {
    shortUrl: shortlink.shortlink_url,
    destination: shortlink.destination_url,
    ...(shortlink.title && { title: shortlink.title }),
    ...(qrColor && { qrColor }),
  }
}

/** What a button remembers, as a link. */
export function rememberedLink({ shortUrl, destination, title, qrColor }: LinkRef): CreatedLink {
  return {
    shortlink: {
      shortlink_url: shortUrl,
      destination_url: destination,
      ...(title && { title }),
    },
    utm: {},
    ...(qrColor && { qrColor }),
  }
}

/** A link and where it leads. */
export function headline(shortUrl: string, destination: string, title: string | undefined): string {
  const shown = cut(readable(destination), SHOWN_DESTINATION)
  const words = (leadsTo: string): string =>
    [
      ...(title ? [bold(cut(title, SHOWN_TITLE))] : []),
      `:link: *${link(shortUrl, shortUrl)}*`,
      `leads to ${leadsTo}`,
    ].join('\n')
  const linked = words(link(destination, shown))
  // One that ends in an ellipsis was cut, and leads nowhere.
  return linked.length <= HEADLINE && !destination.endsWith('…') ? linked : words(escape(shown))
}

/** Domain, UTM parameters and preview, in words. */
function choices({ utm, shortlink, qrColor }: CreatedLink): string {
  const parameters = namedUtm(utm).map(({ name, value }) => `${name} ${bold(cut(value, 100))}`)
  return [
    `Domain ${bold(new URL(shortlink.shortlink_url).host)}`,
    ...(parameters.length > 0 ? [`UTM ${parameters.join(', ')}`] : []),
    ...(shortlink.is_custom_preview ? ['with a custom preview'] : []),
    ...(qrColor && qrColor !== '#000000' ? [`QR code in ${qrColor}`] : []),
  ].join('  ·  ')
}
