import type { ModalView } from '@slack/types'
import { z } from 'zod'
import { LIMITS } from '../../block-kit/limits.ts'
import type { TypedInput } from '../../block-kit/notices.ts'
import { decodeLink, encodeLink, type ShownLink } from '../../block-kit/shown-link.ts'
import { ACTIONS, COMMAND, VIEWS } from '../../ids.ts'
import { currentLink } from '../../links/current-link.ts'
import type { LinkPlatform } from '../../links/links.ts'
import { replyTarget, type Caller, type ReplyTarget } from '../../platform/caller.ts'
import { encodeFailedCommand, type FieldError } from '../../platform/field-errors.ts'
import type { Listeners } from '../../platform/listeners.ts'
import { defineSealedMetadata } from '../../platform/sealed-metadata.ts'
import { deliverLink, linkPictureMessage } from '../deliver-link.ts'
import { type Duplicate, duplicateMessage, duplicateModal } from './duplicate-blocks.ts'

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
