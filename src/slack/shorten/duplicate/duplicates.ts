import type { KnownBlock, ModalView } from '@slack/types'
import { z } from 'zod'
import { actions, button, context, LIMITS, present, section } from '../../block-kit/elements.ts'
import { type MessageContent, type PictureState, qrBlocks } from '../../block-kit/messages.ts'
import { formModal } from '../../block-kit/inputs.ts'
import { createdLinkBlockId } from '../../block-kit/link-menu.ts'
import { ago, cut, escape, mention } from '../../block-kit/mrkdwn.ts'
import { changeCommandButton, type TypedInput, typedInputBlocks } from '../../block-kit/notices.ts'
import {
  decodeLink,
  encodeLink,
  encodeNamedLink,
  expiryTexts,
  headline,
  type ShownLink,
} from '../../block-kit/shown-link.ts'
import { ACTIONS, COMMAND, VIEWS } from '../../ids.ts'
import { currentLink } from '../../links/current-link.ts'
import type { LinkPlatform } from '../../links/links.ts'
import { replyTarget, type Caller, type ReplyTarget } from '../../platform/caller.ts'
import { encodeFailedCommand, type FieldError } from '../../platform/field-errors.ts'
import type { Listeners } from '../../platform/listeners.ts'
import { defineSealedMetadata } from '../../platform/sealed-metadata.ts'
import { deliverLink, linkPictureMessage } from '../deliver-link.ts'
import { type DuplicateError, unusedText } from './find-duplicate.ts'

type Duplicate = Pick<DuplicateError, 'link' | 'record' | 'unusedBackHalf'>

const metadata = defineSealedMetadata(
  'existing link',
  z.object({ target: replyTarget, link: z.string() }),
)

/** Returns undefined if the link is too long for a view's metadata. */
export function existingLinkModal(
  { keyring }: LinkPlatform,
  { workspace }: Caller,
  duplicate: Duplicate,
  target: ReplyTarget,
): ModalView | undefined {
  const encodedLink = encodeLink(duplicate.link)
  if (encodedLink === undefined) return undefined
  const sealed = metadata.seal(keyring, { target, link: encodedLink }, workspace.id)
  if (sealed.length > LIMITS.metadata) return undefined
  return duplicateModal(duplicate, sealed, target.inChannel === true)
}

export function readExistingLinkModal(
  { keyring }: LinkPlatform,
  { workspace }: Caller,
  view: { private_metadata: string },
): { target: ReplyTarget; link: ShownLink } {
  const { target, link: encodedLink } = metadata.open(keyring, view.private_metadata, workspace.id)
  return { target, link: decodeLink(encodedLink) }
}

export async function sendExistingLink(
  { qrSource, replies }: LinkPlatform,
  caller: Caller,
  target: ReplyTarget,
  duplicate: Duplicate,
  typedInput: TypedInput,
): Promise<void> {
  const source = await qrSource(caller, duplicate.link)
  await replies.sendWithPicture(caller.client, target, source, {
    build: ({ picture }) => duplicateMessage(duplicate, picture, typedInput),
    buildPicture: (picture) => linkPictureMessage(duplicate.link, picture),
  })
}

/** What the message repeats of a command. A command that is too long for the button to change it is only shown. */
export function typedDuplicate(duplicate: Duplicate, text: string): TypedInput {
  return text.length <= LIMITS.buttonValue
    ? { command: encodeFailedCommand({ text, issues: [duplicateIssue(duplicate)] }) }
    : { typed: `${COMMAND} ${text}` }
}

export function registerDuplicates(listeners: Listeners, platform: LinkPlatform): void {
  // The reply with the link replaces the message, so that the button can't be pressed again.
  listeners.action(ACTIONS.useDuplicate, async ({ caller, target, value }) => {
    const link = await currentLink(platform, caller, decodeLink(value))
    await deliverLink(platform, caller, { ...target, replacesOriginal: true }, link)
  })
  listeners.formSubmission(VIEWS.duplicate, async ({ ack, caller, view }) => {
    const { link, target } = readExistingLinkModal(platform, caller, view)
    await ack({ response_action: 'clear' })
    await deliverLink(platform, caller, target, await currentLink(platform, caller, link))
  })
}

export function duplicateIssue({ link }: Duplicate): FieldError {
  const message = `This already has a short link: ${link.shortlink_url}. Change the destination or the domain to create another one.`
  return { field: 'destination_url', message }
}

const MAX_BACK_HALF_LENGTH = 100

export function duplicateMessage(
  duplicate: Duplicate,
  picture: PictureState,
  { command, typed }: TypedInput,
): MessageContent {
  const { link } = duplicate
  const value = encodeLink(link)
  return {
    text: `This destination already has a short link: ${escape(link.shortlink_url)}`,
    blocks: [
      ...description(duplicate),
      ...qrBlocks(link.shortlink_url, picture),
      ...actions([
        turnOnButton(link),
        !link.state &&
          value &&
          button('Use this link', ACTIONS.useDuplicate, { style: 'primary', value }),
        command && changeCommandButton(command),
      ]).map((block) => ({ ...block, block_id: createdLinkBlockId() })),
      ...(typed ? typedInputBlocks(typed) : []),
    ],
  }
}

/** *Use this link* submits the view, because no button can close a modal. *Change something* closes it. */
export function duplicateModal(
  duplicate: Duplicate,
  metadata: string,
  answersInThread: boolean,
): ModalView {
  const { link } = duplicate
  const place = answersInThread
    ? 'posts it as a reply to the message, where everyone sees it'
    : 'sends it to where the new link would have gone'
  const { submit, ...modal } = formModal({
    callbackId: VIEWS.duplicate,
    metadata,
    title: 'Link already exists',
    submit: 'Use this link',
    close: 'Change something',
    blocks: present([
      ...description(duplicate),
      ...actions([turnOnButton(link)]),
      !link.state && context(`*Use this link* ${place}.`),
    ]),
  })
  // A link that is off or has expired can't be used.
  return link.state || !submit ? modal : { ...modal, submit }
}

function turnOnButton({ isChangeable, name = '', shortlink_url: shortUrl, state }: ShownLink) {
  const value = isChangeable ? encodeNamedLink({ name, shortUrl }) : undefined
  if (state !== 'off' || value === undefined) return undefined
  return button('Turn on', ACTIONS.turnOnDuplicate, { style: 'primary', value })
}

function description({ link, record, unusedBackHalf }: Duplicate): KnownBlock[] {
  const facts = present([
    record?.createdBy && `Created by ${mention(record.createdBy)} ${ago(record.created_at)}`,
    ...expiryTexts(link),
  ])
  return present([
    section('This destination already has a short link:'),
    section(headline(link)),
    unusedBackHalf !== undefined &&
      section(escape(unusedText(cut(unusedBackHalf, MAX_BACK_HALF_LENGTH)))),
    facts.length > 0 && context(facts.join('  ·  ')),
    link.state === 'off' &&
      !link.isChangeable &&
      context('To use it, ask the person who created it or an admin to turn it on.'),
  ])
}
