import type { KnownBlock, ModalView } from '@slack/types'
import { ACTIONS, VIEWS } from '../ids.ts'
import { button, context, plain, section, type MessageContent } from '../block-kit/elements.ts'
import { LIMITS } from './limits.ts'
import { headline, linkRef, type CreatedLink } from './link-created.ts'
import { encodeLinkRef } from './link-ref.ts'
import { ago, escape, mention } from './mrkdwn.ts'
import { whatWasTyped, type WhatWasTyped } from './problem.ts'
import { qrImage, type QrPicture } from './qr-image.ts'

/** The link that is there already. */
export interface AlreadyShortened {
  existing: CreatedLink
  /** Who made it and when (milliseconds since 1970); absent where that is not known. */
  made?: { by: string; at: number } | undefined
  /** Absent where no QR code was wanted, or while it can't be shown. */
  picture?: QrPicture | undefined
}

/**
 * The same link for somebody who has no form open.
 *
 * @param command what a button opens the form with, filled in; at most LIMITS.buttonValue
 * @param typed where there is no such button: what was typed, to be copied from
 */
export function alreadyShortened(
  link: AlreadyShortened,
  { command, typed }: WhatWasTyped,
): MessageContent {
  const use = encodeLinkRef(linkRef(link.existing))
  const buttons = [
    ...(use
      ? [button('Use this link', ACTIONS.useExisting, { style: 'primary', value: use })]
      : []),
    ...(command ? [button('Change something', ACTIONS.changeCommand, { value: command })] : []),
  ]
  return {
    text: `Already shortened: ${escape(link.existing.shortlink.shortlink_url)}`,
    blocks: [
      ...description(link),
      ...qr(link),
      ...(buttons.length > 0 ? [{ type: 'actions' as const, elements: buttons }] : []),
      ...(typed ? whatWasTyped(typed) : []),
    ],
  }
}

/** What the form turns into. */
export interface AlreadyShortenedModal extends AlreadyShortened {
  /** The destination as it was typed: what a button has room for. */
  destination: string
  /** Slack's `external_id`: unique, at most 255 characters. */
  viewKey: string
  /** Whether using the link shows it to everybody in a thread. */
  answersInThread: boolean
  /** Brings back everything else (src/slack/duplicates.ts). */
  metadata: string
}

/** To be used as it is, by submitting it, since no button can close a modal; or to be changed. */
export function alreadyShortenedModal(modal: AlreadyShortenedModal): ModalView {
  const change = button('Change something', ACTIONS.changeForm, { value: modal.destination })
  return {
    type: 'modal',
    callback_id: VIEWS.alreadyShortened,
    external_id: modal.viewKey,
    private_metadata: modal.metadata,
    title: plain('Already shortened', LIMITS.viewTitle),
    submit: plain('Use this link', LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: [
      ...description(modal),
      { type: 'actions', elements: [change] },
      context(
        modal.answersInThread
          ? '*Use this link* posts it as a reply to the message, where everybody sees it.'
          : '*Use this link* sends it to where the new one would have gone.',
      ),
      // Last, so that nothing moves away from under a pointer when it comes.
      ...qr(modal),
    ],
  }
}

function description({ existing, made }: AlreadyShortened): KnownBlock[] {
  const { shortlink_url: shortUrl, destination_url: destination, title } = existing.shortlink
  return [
    section('This link is shortened already:'),
    section(headline(shortUrl, destination, title)),
    ...(made
      ? [context(`Made by ${mention(made.by)} ${ago(new Date(made.at).toISOString())}`)]
      : []),
  ]
}

function qr({ existing, picture }: AlreadyShortened): KnownBlock[] {
  return picture ? [qrImage(existing.shortlink.shortlink_url, picture)] : []
}
