import type { ShownLink } from '../block-kit/shown-link.ts'
import type { Caller } from '../platform/caller.ts'
import type { Platform } from '../platform/platform.ts'
import type { ReplyTarget } from '../platform/reply-target.ts'
import { isTemporary } from '../platform/slack-client.ts'
import { linkCreatedMessage, linkPictureMessage, plainLinkMessage } from './link-created.ts'

/** Sends a link to the user at once, and its QR picture as soon as Slack shows it. */
export async function deliverLink(
  { logger, qrPictures, replies }: Pick<Platform, 'logger' | 'qrPictures' | 'replies'>,
  caller: Caller,
  target: ReplyTarget,
  link: ShownLink,
): Promise<void> {
  const { client } = caller
  const { qrColor: color, shortlink } = link
  const picture = color
    ? qrPictures.picture(caller, { text: shortlink.shortlink_url, color })
    : undefined
  const sent = replies.sendThenAddPicture(client, target, picture, {
    build: ({ picture: state, direct }) =>
      linkCreatedMessage(link, { picture: state, shareable: !direct && !target.inChannel }),
    buildPicture: (shown) => linkPictureMessage(link, shown),
  })
  await sent.catch(async (err: unknown) => {
    if (isTemporary(err)) throw err
    // Slack refuses something in the message. The link itself must reach the user.
    logger.error({ err }, 'Slack refused the message of a link')
    await replies.send(client, target, plainLinkMessage(link))
  })
}
