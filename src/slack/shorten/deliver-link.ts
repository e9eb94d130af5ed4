import { SPECIFICATION } from '../../port/capabilities.ts'
import { textMessage } from '../block-kit/elements.ts'
import { linkMenu } from '../block-kit/link-menu.ts'
import type { Notice } from '../block-kit/notices.ts'
import type { ShownLink } from '../block-kit/shown-link.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller, ReplyTarget } from '../platform/caller.ts'
import { DeadResponseUrlError } from '../platform/replies.ts'
import { isTemporary } from '../platform/slack-errors.ts'
import { linkCreatedMessage, plainText, linkPictureMessage } from './link-created.ts'

/** Sends the user the message of a link, with its QR code, buttons and menu. */
export async function deliverLink(
  platform: LinkPlatform,
  caller: Caller,
  target: ReplyTarget,
  link: ShownLink,
  { notice, isShared = false }: { notice?: Notice | undefined; isShared?: boolean } = {},
): Promise<void> {
  const { logger, qrSource, replies } = platform
  const { client } = caller
  const [source, menu] = await Promise.all([
    qrSource(caller, link),
    buildMenu(platform, caller, link),
  ])
  const sent = replies.sendWithPicture(client, target, source, {
    build: ({ picture, direct }) => {
      const shareable = !direct && !target.inChannel && !isShared
      return linkCreatedMessage(link, { picture, shareable, menu, notice })
    },
    buildPicture: (picture) => linkPictureMessage(link, picture),
  })
  await sent.catch(async (err: unknown) => {
    if (isTemporary(err) || err instanceof DeadResponseUrlError) throw err
    // Slack refused something in the message, so the user gets only the link, as plain text.
    logger.error({ err }, 'Slack refused the message of a link')
    await replies.send(client, target, textMessage(plainText(link, notice)))
  })
}

async function buildMenu({ linkService }: LinkPlatform, { workspace }: Caller, link: ShownLink) {
  const { name, state, changeable } = link
  if (name === undefined) return []
  const capabilities = await linkService.capabilities(workspace).catch(() => SPECIFICATION)
  if (!capabilities.update && !capabilities.delete && !capabilities.clicks) return []
  const mayChange = changeable !== undefined
  return linkMenu({ name, enabled: state !== 'off' }, { capabilities, mayChange })
}
