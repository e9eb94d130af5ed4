import type { KnownBlock, ModalView } from '@slack/types'
import type { LinkRef } from './link-ref.ts'
import { code, context, type MessageContent } from '../block-kit/elements.ts'
import { showingModal } from './notice-modal.ts'
import { escape } from './mrkdwn.ts'

/** A link as text that can be selected, for whoever asked. */
export function linkText(ref: LinkRef): MessageContent {
  return { text: `Text to copy: ${escape(ref.shortUrl)}`, blocks: blocks(ref) }
}

/** The same, where there is no conversation. */
export function linkTextModal(ref: LinkRef): ModalView {
  return showingModal('Text to copy', blocks(ref))
}

function blocks({ shortUrl, title, destination }: LinkRef): KnownBlock[] {
  return [
    context('The short link:'),
    code(shortUrl),
    context('With what it is and where it leads:'),
    code([...(title ? [title] : []), shortUrl, destination].join('\n')),
  ]
}
