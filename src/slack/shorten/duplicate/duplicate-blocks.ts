import type { KnownBlock, ModalView } from '@slack/types'
import {
  actions,
  button,
  context,
  type MessageContent,
  type PictureState,
  present,
  section,
} from '../../block-kit/elements.ts'
import { formModal } from '../../block-kit/inputs.ts'
import { createdLinkBlockId } from '../../block-kit/link-menu.ts'
import { ago, cut, escape, mention } from '../../block-kit/mrkdwn.ts'
import { changeCommandButton, type TypedInput, typedInputBlocks } from '../../block-kit/notices.ts'
import {
  encodeLink,
  encodeNamedLink,
  expiryTexts,
  headline,
  qrBlocks,
  type ShownLink,
} from '../../block-kit/shown-link.ts'
import { ACTIONS, VIEWS } from '../../ids.ts'
import { type DuplicateError, unusedText } from './find-duplicate.ts'

const MAX_BACK_HALF_LENGTH = 100

export type Duplicate = Pick<DuplicateError, 'link' | 'record' | 'unusedBackHalf'>

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
    record?.createdBy &&
      `Created by ${mention(record.createdBy)} ${ago(new Date(record.createdAt).toISOString())}`,
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
