import type { ModalView } from '@slack/types'
import { createOperation } from '../../client/operation.ts'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import { webUrl } from '../../web/readable-url.ts'
import { code, context } from '../block-kit/elements.ts'
import type { MenuChoice } from '../block-kit/link-menu.ts'
import { readOnlyModal } from '../block-kit/notices.ts'
import { encodeLinkRef, type LinkRef } from '../block-kit/shown-link.ts'
import type { LINK_MENU } from '../ids.ts'
import { findChosenLink } from '../links/find-link.ts'
import type { Links } from '../links/links.ts'
import type { Caller, ReplyTarget } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { Platform } from '../platform/platform.ts'
import { sharedModal, shareModal } from '../share/share-messages.ts'
import type { Sharing } from '../share/index.ts'
import { moreModal } from './change-modals.ts'

/** The message with the list, in a conversation. */
export interface ListMessage {
  target: ReplyTarget
  messageTs: string
}

type Show = (view: ModalView) => Promise<void>

/** The choices in a link's menu that change nothing and that every link service allows. */
export type SimpleChoice = (typeof LINK_MENU)['more' | 'qr' | 'share' | 'copy']

/**
 * Answers a choice in a link's menu that changes nothing, in a modal.
 *
 * @param list absent in the Home tab, which has no conversation to share a link in
 * @throws SlackInputError if the link no longer exists; LinkServiceError, NotConnectedError
 */
export async function answerSimpleChoice(
  platform: Platform & Links,
  sharing: Sharing,
  caller: Caller,
  choice: MenuChoice & { choice: SimpleChoice },
  show: Show,
  list?: ListMessage,
): Promise<void> {
  const { ref, withQr, toShare } = await find(platform, caller, choice)
  switch (choice.choice) {
    case 'more':
      return show(moreModal(toShare, encodeLinkRef(toShare)))
    case 'copy':
      return show(copyableModal(ref))
    case 'qr':
      return sharing.showQr(caller, withQr, show)
    case 'share': {
      if (!list) return show(shareForm(toShare))
      const { target, messageTs } = list
      return show(sharedModal(await sharing.share(caller, target, toShare, messageTs)))
    }
  }
}

interface FoundLink {
  ref: LinkRef
  /** With a QR color, whether or not the link has a QR code. */
  withQr: LinkRef
  /** With a QR color only if the link has a QR code. */
  toShare: LinkRef
}

/** The link as it is now, with the workspace's QR color, because lists contain no colors. */
async function find(
  platform: Platform & Links,
  caller: Caller,
  choice: MenuChoice,
): Promise<FoundLink> {
  const { clock, permissions, settings } = platform
  await permissions.checkMaySee(caller)
  const [{ link }, { qr }] = await Promise.all([
    findChosenLink(platform, caller, choice, createOperation({ clock })),
    settings.read(caller.workspace.id),
  ])
  const { shortlink_url: shortUrl, destination_url: destination, title } = link
  const ref = { shortUrl, destination, ...(title && { title }) }
  const withQr = { ...ref, qrColor: link.qr_code_color ?? qr.color ?? DEFAULT_COLOR }
  return { ref, withQr, toShare: link.qr_code_enabled ? withQr : ref }
}

/** Asks in which conversation to share a link. @throws SlackInputError if the link is too long for that */
export function shareForm(ref: LinkRef): ModalView {
  const metadata = encodeLinkRef(ref)
  if (metadata !== undefined) return shareModal(ref, metadata)
  throw new SlackInputError([{ message: 'This link is too long to be shared from here.' }])
}

/** A link as text that the user can select and copy. */
export function copyableModal({ shortUrl, title, destination }: LinkRef): ModalView {
  return readOnlyModal('Copy as text', [
    context('The short link:'),
    code(shortUrl),
    context('With its title and destination:'),
    code(
      [...(title ? [title] : []), shortUrl, webUrl(destination)?.href ?? destination].join('\n'),
    ),
  ])
}
