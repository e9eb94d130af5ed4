import type { KnownBlock, ModalView, RichTextPreformatted } from '@slack/types'
import type { LinkRef } from './link-ref.ts'
import { context, type MessageContent } from './elements.ts'
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

/** Code blocks of rich text: nothing in them is markup, whatever a title or a URL holds. */
function blocks({ shortUrl, title, destination }: LinkRef): KnownBlock[] {
  return [
    context('The short link:'),
    code(shortUrl),
    context('With what it is and where it leads:'),
    code([...(title ? [title] : []), shortUrl, destination].join('\n')),
  ]
}

function code(text: string): KnownBlock {
  const elements: RichTextPreformatted['elements'] = [{ type: 'text', text }]
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements }] }
}
