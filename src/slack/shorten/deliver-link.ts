import type { ActionsBlock, ModalView } from '@slack/types'
import type { UtmParameter } from '../../contract/link-fields.ts'
import { SPECIFICATION } from '../../port/capabilities.ts'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import { actions, button, context, present, section, warnings } from '../block-kit/elements.ts'
import {
  isPicture,
  type MessageContent,
  type PictureState,
  qrBlocks,
  qrMessage,
  textMessage,
} from '../block-kit/messages.ts'
import { UTM_NAMES } from '../block-kit/fields.ts'
import { createdLinkBlockId, linkButtons, linkMenu } from '../block-kit/link-menu.ts'
import { bold, cut, escape } from '../block-kit/mrkdwn.ts'
import { type Notice, noticeBlock, noticeModal } from '../block-kit/notices.ts'
import { encodeLink, expiryTexts, headline, type ShownLink } from '../block-kit/shown-link.ts'
import { ACTIONS } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller, ReplyTarget } from '../platform/caller.ts'
import { differenceText } from '../platform/field-errors.ts'
import { DeadResponseUrlError } from '../platform/replies.ts'
import { isTemporary } from '../platform/slack-errors.ts'
import { lookalikeText } from './duplicate/find-duplicate.ts'

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
  const { name, state, isChangeable: mayChange = false } = link
  if (name === undefined) return []
  const capabilities = await linkService.capabilities(workspace).catch(() => SPECIFICATION)
  if (!capabilities.update && !capabilities.delete && !capabilities.clicks) return []
  return linkMenu({ name, enabled: state !== 'off' }, { capabilities, mayChange })
}

const MAX_UTM_LENGTH = 100

const MAX_TAGS_LENGTH = 420 // the longest list of tags that our service allows

interface CreatedMessage {
  picture?: PictureState
  shareable: boolean
  menu?: ActionsBlock['elements']
  notice?: Notice | undefined
}

export function linkCreatedMessage(
  link: ShownLink,
  { picture, shareable, menu = [], notice }: CreatedMessage,
): MessageContent {
  return {
    text: plainText(link, notice),
    blocks: [
      section(headline(link)),
      context(chosenValues(link)),
      ...warnings(
        present([
          ...(link.differences ?? []).map(differenceText),
          link.lookalike && lookalikeText(link.lookalike),
        ]),
      ),
      ...qrBlocks(link.shortlink_url, picture),
      ...(notice ? [noticeBlock(notice, createdLinkBlockId(1))] : []),
      ...actions([
        ...linkButtons(link, {
          shareable: shareable && !link.state,
          hasQr: picture !== undefined,
        }),
        ...menu,
      ]).map((block) => ({ ...block, block_id: createdLinkBlockId() })),
    ],
  }
}

function plainText({ shortlink_url: shortUrl }: ShownLink, notice?: Notice): string {
  return present([notice?.text, `Your short link: ${escape(shortUrl)}`]).join('\n')
}

export function linkPictureMessage(link: ShownLink, picture: PictureState): MessageContent {
  const { shortlink_url: shortUrl } = link
  const value = encodeLink(link)
  if (isPicture(picture)) return qrMessage(shortUrl, picture)
  const text = `The QR code for ${escape(shortUrl)} can’t be shown right now.`
  return {
    text,
    blocks: [
      context(text),
      ...actions([value && button('Show QR code', ACTIONS.showQr, { value })]),
    ],
  }
}

/** Replaces the form if creating the link took longer than Slack waits for an acknowledgement. */
export function linkCreatedModal(link: ShownLink): ModalView {
  const text = `${headline(link)}\n\nYou also get it as a message, so you can close this.`
  // If the link already existed, this modal is on top of the form. Closing it closes the form, too.
  return { ...noticeModal('Your short link', text), clear_on_close: true }
}

function chosenValues({ utm = {}, tags = [], qrColor, ...link }: ShownLink): string {
  const parameters = Object.entries(utm).map(
    ([name, value]) => `${UTM_NAMES[name as UtmParameter]} ${bold(cut(value, MAX_UTM_LENGTH))}`,
  )
  return present([
    `Domain ${bold(new URL(link.shortlink_url).host)}`,
    parameters.length > 0 && `UTM ${parameters.join(', ')}`,
    tags.length > 0 && `Tags ${bold(cut(tags.join(', '), MAX_TAGS_LENGTH))}`,
    link.is_custom_preview && 'with a custom preview',
    qrColor && qrColor !== DEFAULT_COLOR && `QR code in ${qrColor}`,
    ...expiryTexts(link),
  ]).join('  ·  ')
}
