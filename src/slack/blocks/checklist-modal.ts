import type { Checkboxes, ModalView, SectionBlock } from '@slack/types'
import type { DomainRecord } from '../../workspaces/connection.ts'
import { ACTIONS, CHECKLIST_BLOCK_PREFIX, VIEWS } from '../ids.ts'
import type { MessageLinks } from '../message-links/parse-message.ts'
import { count } from './count.ts'
import { context, option, plain, section } from '../block-kit/elements.ts'
import { cut, LIMITS } from './limits.ts'
import { domainInput, qrInput } from './link-inputs.ts'
import { escape, link, readable } from './mrkdwn.ts'

/** Links at once: so many have room in one answer, which Slack keeps to some 12,000 characters. */
export const CHECKLIST_LINKS = 30

/** Bytes of one link in the view, so that all of them stay below the 250 KB of a view. */
const LINK_BYTES = 6_500

/** How much of a link is shown. */
const SHOWN = 150

/** A link of a message, and whether it is to be shortened. */
export interface CheckedLink {
  url: string
  ticked: boolean
}

/** Links of a message that are not in the checklist: how many, and why. */
export interface NotListed {
  leftOut: MessageLinks['leftOut']
  /** Beyond CHECKLIST_LINKS. */
  more: number
}

export interface ChecklistModal extends NotListed {
  links: readonly CheckedLink[]
  domains: readonly DomainRecord[]
  /** The chosen domain record's id. */
  domain?: string | undefined
  withQr: boolean
  /** For the top: something went wrong. */
  notice?: readonly string[] | undefined
  /** What the submitted form brings back besides (src/slack/checklists.ts). */
  metadata: string
}

/**
 * Where people choose which links of a message are shortened. The links travel in the texts: no
 * other place of a view has room for them.
 */
export function checklistModal(modal: ChecklistModal): ModalView {
  return {
    type: 'modal',
    callback_id: VIEWS.checklist,
    private_metadata: modal.metadata,
    title: plain('Shorten links', LIMITS.viewTitle),
    submit: plain('Create links', LIMITS.viewTitle),
    close: plain('Cancel', LIMITS.viewTitle),
    blocks: [
      ...(modal.notice ?? []).map((message) => section(`:warning: ${escape(message)}`)),
      section('Which links of that message do you want to shorten?'),
      ...modal.links.map(checkedLink),
      ...notListed(modal).map((words) => context(words)),
      domainInput(modal.domain, modal.domains),
      qrInput({ qr_code_enabled: modal.withQr }, 'Make a QR code for each'),
      context('The short links are posted as one reply to the message, where everybody sees it.'),
    ],
  }
}

/** Whether a link has room in a checklist. */
export function fitsChecklist(url: string): boolean {
  const text = linkText(url)
  return text.length <= LIMITS.sectionText && Buffer.byteLength(text) <= LINK_BYTES
}

function checkedLink({ url, ticked }: CheckedLink, index: number): SectionBlock {
  const options = [option('Shorten', 'on')]
  const checkboxes: Checkboxes = {
    type: 'checkboxes',
    action_id: ACTIONS.tickLink,
    options,
    ...(ticked && { initial_options: options }),
  }
  return {
    ...section(linkText(url)),
    block_id: `${CHECKLIST_BLOCK_PREFIX}${index}`,
    accessory: checkboxes,
  }
}

function linkText(url: string): string {
  return link(url, cut(readable(url), SHOWN))
}

function notListed({ leftOut: { short, slack, tooLong }, more }: NotListed): string[] {
  const reasons = [
    ...(short > 0 ? [`${count(short, 'link')} already short`] : []),
    ...(slack > 0 ? [`${count(slack, 'link')} to something in Slack`] : []),
    ...(tooLong > 0 ? [`${count(tooLong, 'link')} too long to be listed`] : []),
  ]
  return [
    ...(reasons.length > 0 ? [`Left out: ${reasons.join(', ')}.`] : []),
    ...(more > 0
      ? [`${count(more, 'link')} more of that message did not fit here. Shorten them one by one.`]
      : []),
  ]
}
