import type { KnownBlock, ModalView } from '@slack/types'
import { createAct } from '../../client/act.ts'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import { webUrl } from '../../web/readable-url.ts'
import { code, context, type MessageContent } from '../block-kit/elements.ts'
import { escape } from '../block-kit/mrkdwn.ts'
import { readOnlyModal } from '../block-kit/notices.ts'
import { encodeLinkRef, type LinkRef } from '../block-kit/shown-link.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { Platform } from '../platform/platform.ts'
import { showWithPicture } from '../platform/qr-pictures.ts'
import type { ReplyTarget } from '../platform/reply-target.ts'
import { qrModal, shareModal } from '../share/share-messages.ts'
import type { Sharing } from '../share/sharing.ts'
import { findListedLink } from './find-listed-link.ts'
import type { MenuChoice } from './menu.ts'

/** What the choices in a link's menu do. */
export interface MenuActions {
  /**
   * Answers with a message below the list, which stays as it is.
   *
   * @param place identifies the list's message
   * @throws SlackInputError if the link no longer exists; LinkServiceError, NotConnectedError
   */
  answer(caller: Caller, target: ReplyTarget, choice: MenuChoice, place: string): Promise<void>
  /** Answers in a modal, because the Home tab has no conversation. @throws the same errors */
  answerInModal(
    caller: Caller,
    choice: MenuChoice,
    show: (view: ModalView) => Promise<void>,
  ): Promise<void>
}

export function createMenuActions(
  { clock, linkService, permission, settings, replies }: Platform,
  sharing: Sharing,
): MenuActions {
  /** The link as it is now, with the workspace's QR color, because lists contain no colors. */
  async function find(caller: Caller, choice: MenuChoice): Promise<FoundLink> {
    await permission.checkMaySee(caller)
    const { workspace } = caller
    const [link, { qr }] = await Promise.all([
      findListedLink(linkService, workspace, choice, createAct({ clock })),
      settings.read(workspace.id),
    ])
    const { shortlink_url: shortUrl, destination_url: destination, title } = link
    const ref = { shortUrl, destination, ...(title && { title }) }
    const withQr = { ...ref, qrColor: qr.color ?? DEFAULT_COLOR }
    return { ref, withQr, toShare: link.qr_code_enabled ? withQr : ref }
  }

  return {
    async answer(caller, target, choice, place) {
      const { ref, withQr, toShare } = await find(caller, choice)
      switch (choice.choice) {
        case 'copy':
          return replies.send(caller.client, target, copyableMessage(ref))
        case 'share':
          await sharing.share(caller, target, toShare, place)
          return
        case 'qr':
          return sharing.showQr(caller, target, withQr)
      }
    },

    async answerInModal(caller, choice, show) {
      const { ref, withQr, toShare } = await find(caller, choice)
      switch (choice.choice) {
        case 'copy':
          return show(copyableModal(ref))
        case 'share':
          return show(shareForm(toShare))
        case 'qr': {
          const picture = await sharing.pictureOf(caller, withQr)
          return showWithPicture(clock, picture, (shown) => show(qrModal(ref, shown)))
        }
      }
    },
  }
}

interface FoundLink {
  ref: LinkRef
  /** With a QR color, whether or not the link has a QR code. */
  withQr: LinkRef
  /** With a QR color only if the link has a QR code. */
  toShare: LinkRef
}

function shareForm(ref: LinkRef): ModalView {
  const metadata = encodeLinkRef(ref)
  if (metadata !== undefined) return shareModal(ref, metadata)
  throw new SlackInputError([{ message: 'This link is too long to be shared from here.' }])
}

/** A link as text that the user can select and copy. */
export function copyableMessage(ref: LinkRef): MessageContent {
  return { text: `Text to copy: ${escape(ref.shortUrl)}`, blocks: copyableBlocks(ref) }
}

export function copyableModal(ref: LinkRef): ModalView {
  return readOnlyModal('Copy as text', copyableBlocks(ref))
}

function copyableBlocks({ shortUrl, title, destination }: LinkRef): KnownBlock[] {
  return [
    context('The short link:'),
    code(shortUrl),
    context('With its title and destination:'),
    code(
      [...(title ? [title] : []), shortUrl, webUrl(destination)?.href ?? destination].join('\n'),
    ),
  ]
}
