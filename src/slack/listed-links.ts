import type { ModalView } from '@slack/types'
import { DEFAULT_COLOR } from '../qr/png.ts'
import type { ListedLink } from '../client/link-page.ts'
import type { SettingsStore } from '../workspaces/settings.ts'
import { qrNotShown, qrShown, qrShownModal } from './blocks/link-created.ts'
import { encodeLinkRef, type LinkRef } from './blocks/link-ref.ts'
import { linkText, linkTextModal } from './blocks/link-text.ts'
import { shareModal } from './blocks/share-modal.ts'
import type { Caller } from './caller.ts'
import { findLink } from './find-link.ts'
import type { ChosenForLink } from './input/link-menu.ts'
import { SlackInputError } from './input/slack-input-error.ts'
import type { Links } from './links.ts'
import { showWithPicture } from './picture-retry.ts'
import type { QrPictures } from './qr-pictures.ts'
import type { Replies } from './replies.ts'
import type { ReplyTarget } from './reply-target.ts'
import type { Sharing } from './sharing.ts'

/** What the menu of a listed link does. */
export interface ListedLinks {
  /**
   * Answers beside the list, which stays as it is.
   *
   * @param place the list's message
   * @throws SlackInputError when the link is gone; LinkServiceError, NotConnectedError
   */
  answer(caller: Caller, target: ReplyTarget, chosen: ChosenForLink, place: string): Promise<void>
  /** Answers in a modal, where there is no conversation. @throws the same */
  answerInModal(
    caller: Caller,
    chosen: ChosenForLink,
    show: (view: ModalView) => Promise<void>,
  ): Promise<void>
}

export function createListedLinks({
  links,
  settings,
  replies,
  qrPictures,
  sharing,
}: {
  links: Links
  settings: SettingsStore
  replies: Replies
  qrPictures: QrPictures
  sharing: Sharing
}): ListedLinks {
  /** The link as it is now, its QR code in the workspace's colour. */
  async function find({ workspace }: Caller, chosen: ChosenForLink): Promise<Found> {
    const [link, { qr }] = await Promise.all([
      findLink(links, workspace, chosen),
      settings.read(workspace.id),
    ])
    return { link, color: qr.color ?? DEFAULT_COLOR }
  }

  return {
    async answer(caller, target, chosen, place) {
      const { client } = caller
      const { link, color } = await find(caller, chosen)
      const ref = refOf(link)
      switch (chosen.choice) {
        case 'copy':
          return replies.send(client, target, linkText(ref))
        case 'share':
          await sharing.share(client, target, forSharing(link, color), place)
          return
        case 'qr': {
          const picture = await qrPictures.picture(client, { text: ref.shortUrl, color })
          return replies.sendWithPicture(client, target, picture, ({ picture: shown }) =>
            shown ? qrShown(ref, shown) : qrNotShown(),
          )
        }
      }
    },
    async answerInModal(caller, chosen, show) {
      const { link, color } = await find(caller, chosen)
      const ref = refOf(link)
      switch (chosen.choice) {
        case 'copy':
          return show(linkTextModal(ref))
        case 'share':
          return show(shareForm(forSharing(link, color)))
        case 'qr': {
          const content = { text: ref.shortUrl, color }
          const picture = await qrPictures.picture(caller.client, content)
          return showWithPicture(picture, (shown) => show(qrShownModal(ref, shown)))
        }
      }
    },
  }
}

interface Found {
  link: ListedLink
  /** `#RRGGBB` */
  color: string
}

function refOf({ shortlink_url: shortUrl, destination_url: destination, title }: ListedLink) {
  return { shortUrl, destination, ...(title && { title }) }
}

/** Its QR code goes along only where the link was made with one. */
function forSharing(link: ListedLink, color: string): LinkRef {
  return { ...refOf(link), ...(link.qr_code_enabled && { qrColor: color }) }
}

function shareForm(ref: LinkRef): ModalView {
  const metadata = encodeLinkRef(ref)
  if (metadata !== undefined) return shareModal(ref, metadata)
  throw new SlackInputError([{ message: 'This link is too long to be shared from here.' }])
}
