import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { html } from '../html.ts'
import { nameOf, useWorkspace } from '../workspace.ts'
import type { WorkspaceState } from '../../../simulator/protocol.ts'
import { formatDate } from './dates.ts'
import { emoji, withEmoji } from './emoji.ts'
import { parseMrkdwn, type Inline, type Paragraph } from './parse.ts'

interface MrkdwnProps {
  text: string
  /** What stands behind the text, on its last line. */
  end?: ComponentChildren
}

/** Slack's mrkdwn as the page shows it. */
export function Mrkdwn({ text, end }: MrkdwnProps): ComponentChildren {
  const { state } = useWorkspace()
  // With every change of the workspace all messages are drawn again, most of them the same.
  const paragraphs = useMemo(() => parseMrkdwn(text), [text])
  return html`<div class="mrkdwn">
    ${paragraphs.map((paragraph, at) =>
      renderParagraph(paragraph, state, at === paragraphs.length - 1 ? end : undefined),
    )}
  </div>`
}

/** A link that opens beside the page. @param href an address that has been checked */
export function link(href: string, content: ComponentChildren): ComponentChildren {
  return html`<a href=${href} target="_blank" rel="noopener noreferrer">${content}</a>`
}

export function mention(name: string): ComponentChildren {
  return html`<span class="mention">${name}</span>`
}

function renderParagraph(
  paragraph: Paragraph,
  state: WorkspaceState,
  end: ComponentChildren,
): ComponentChildren {
  if (paragraph.kind === 'pre') return [html`<pre>${paragraph.text}</pre>`, end]
  const children = paragraph.children.map((one) => renderInline(one, state))
  return paragraph.kind === 'quote'
    ? [html`<blockquote>${children}</blockquote>`, end]
    : html`<p>${children}${end}</p>`
}

function renderInline(node: Inline, state: WorkspaceState): ComponentChildren {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'emoji':
      return emoji(node.name)
    case 'code':
      return html`<code>${node.text}</code>`
    case 'bold':
      return html`<strong>${node.children.map((one) => renderInline(one, state))}</strong>`
    case 'italic':
      return html`<em>${node.children.map((one) => renderInline(one, state))}</em>`
    case 'strike':
      return html`<s>${node.children.map((one) => renderInline(one, state))}</s>`
    case 'link':
      return link(node.url, withEmoji(node.label))
    case 'person':
      return mention(`@${nameOf(state, node.id)}`)
    case 'channel':
      return mention(`#${channelName(state, node.id) ?? (node.label || node.id)}`)
    case 'broadcast':
      return mention(`@${node.range}`)
    case 'date':
      return renderDate(node)
  }
}

function renderDate({ at, format, url }: Extract<Inline, { kind: 'date' }>): ComponentChildren {
  const moment = new Date(at * 1000)
  const shown = formatDate(at, format, { now: Date.now() / 1000 })
  const time = html`<time datetime=${moment.toISOString()} title=${moment.toLocaleString()}>
    ${shown}
  </time>`
  return url === undefined ? time : link(url, time)
}

function channelName({ conversations }: WorkspaceState, id: string): string | undefined {
  return conversations.find((one) => one.id === id)?.name
}
