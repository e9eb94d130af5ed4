import type { KnownBlock, ModalView } from '@slack/types'
import { createAct, type Act } from '../../client/act.ts'
import type { ListedLink } from '../../client/link-page.ts'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { code, context, type MessageContent } from '../block-kit/elements.ts'
import { escape } from '../block-kit/mrkdwn.ts'
import { readOnlyModal } from '../block-kit/notices.ts'
import { encodeLinkRef, type LinkRef } from '../block-kit/shown-link.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { decodeListPosition, fetchLinkPage } from '../platform/link-pages.ts'
import type { LinkService } from '../platform/link-service.ts'
import type { Platform } from '../platform/platform.ts'
import { showWithPicture } from '../platform/qr-pictures.ts'
import type { ReplyTarget } from '../platform/replies.ts'
import { qrModal, shareModal } from '../share/share-messages.ts'
import type { Sharing } from '../share/sharing.ts'
import { linkKey, type MenuChoice } from './menu.ts'

/** What the choices in a link's menu do. */
export interface MenuActions {
  /**
   * Answers with a message below the list, which stays as it is.
   *
   * @param place identifies the list's message
   * @throws SlackInputError if the link no longer exists; LinkServiceError, NotConnectedError
   */
  answer(caller: Caller, target: ReplyTarget, choice: MenuChoice, place: string): Promise<void>
  /** Answers in a modal, because the Home tab has no conversation. @throws the same */
  answerInModal(
    caller: Caller,
    choice: MenuChoice,
    show: (view: ModalView) => Promise<void>,
  ): Promise<void>
}

export function createMenuActions(
  { clock, linkService, settings, replies }: Platform,
  sharing: Sharing,
): MenuActions {
  /** The link as it is now, with the workspace's QR color, because lists contain no colors. */
  async function find({ workspace }: Caller, choice: MenuChoice): Promise<FoundLink> {
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

/**
 * Finds the link that the user chose: on its page, or on a neighboring page, because new links push the
 * others to later pages.
 *
 * @throws SlackInputError if none of them has it; LinkServiceError, NotConnectedError
 */
export async function findListedLink(
  linkService: LinkService,
  workspace: Workspace,
  { key, position }: Pick<MenuChoice, 'key' | 'position'>,
  act?: Act,
): Promise<ListedLink> {
  const decoded = decodeListPosition(position)
  const { page } = decoded
  for (const number of [page, page + 1, page - 1].filter((candidate) => candidate > 0)) {
    const at = { ...decoded, page: number }
    const { links } = await fetchLinkPage(linkService, workspace, at, act)
    const found = links.find(({ name }) => linkKey(name) === key)
    if (found) return found
  }
  throw new SlackInputError([
    {
      message:
        'This link can’t be found anymore. It was deleted, or the list has changed a lot since you opened it. Open the list again to see the current links.',
    },
  ])
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
    code([...(title ? [title] : []), shortUrl, destination].join('\n')),
  ]
}
