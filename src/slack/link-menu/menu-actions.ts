import type { ModalView } from '@slack/types'
import type { ListedLink } from '../../client/link-client.ts'
import { createOperation, type Operation } from '../../client/operation.ts'
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
import type { Sharing } from '../share/sharing.ts'
import { moreModal } from './change-modals.ts'

/** The message with the list, in a conversation. */
export interface ListMessage {
  target: ReplyTarget
  messageTs: string
}

type Show = (view: ModalView) => Promise<void>

/** The choices in a link's menu that change nothing and that every link service allows. */
export type SimpleChoice = (typeof LINK_MENU)['more' | 'qr' | 'share' | 'copy']

/** What the choices in a link's menu do that change nothing. */
export interface MenuActions {
  /**
   * Answers in a modal.
   *
   * @param list absent in the Home tab, which has no conversation to share a link in
   * @throws SlackInputError if the link no longer exists; LinkServiceError, NotConnectedError
   */
  answer(
    caller: Caller,
    choice: MenuChoice & { choice: SimpleChoice },
    show: Show,
    list?: ListMessage,
  ): Promise<void>
}

export function createMenuActions(platform: Platform & Links, sharing: Sharing): MenuActions {
  const { clock, permissions, settings } = platform

  /** The link as it is now, with the workspace's QR color, because lists contain no colors. */
  async function find(
    caller: Caller,
    choice: MenuChoice,
    operation: Operation,
  ): Promise<FoundLink> {
    await permissions.checkMaySee(caller)
    const { workspace } = caller
    const [{ link }, { qr }] = await Promise.all([
      findChosenLink(platform, caller, choice, operation),
      settings.read(workspace.id),
    ])
    const { shortlink_url: shortUrl, destination_url: destination, title } = link
    const ref = { shortUrl, destination, ...(title && { title }) }
    const withQr = { ...ref, qrColor: link.qr_code_color ?? qr.color ?? DEFAULT_COLOR }
    return { link, ref, withQr, toShare: link.qr_code_enabled ? withQr : ref }
  }

  return {
    async answer(caller, choice, show, list) {
      const { ref, withQr, toShare } = await find(caller, choice, createOperation({ clock }))
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
    },
  }
}

interface FoundLink {
  link: ListedLink
  ref: LinkRef
  /** With a QR color, whether or not the link has a QR code. */
  withQr: LinkRef
  /** With a QR color only if the link has a QR code. */
  toShare: LinkRef
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
