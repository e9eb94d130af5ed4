import { h, type ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { WorkspaceState } from '../../../simulator/protocol.ts'
import { string } from '../../../simulator/shared/slack-json.ts'
import { asObject } from '../../../values/unknown-values.ts'
import { personName, useWorkspace } from '../workspace.ts'
import { html } from '../html.ts'
import { emoji, formatDate, withEmoji } from './words.ts'
import { parseMrkdwn, type Inline, type Paragraph } from './parse.ts'

export function text(value: unknown): ComponentChildren {
  const { type, text: content } = asObject(value)
  return type === 'mrkdwn' ? h(Mrkdwn, { text: string(content) }) : plain(value)
}

export function plain(value: unknown): string {
  return withEmoji(string(asObject(value).text))
}

export function Mrkdwn({ text }: { text: string }): ComponentChildren {
  const { state } = useWorkspace()
  // Every change of the workspace rerenders all messages, but few of their texts change.
  const paragraphs = useMemo(() => parseMrkdwn(text), [text])
  return html`<div class="mrkdwn">
    ${paragraphs.map((paragraph) => renderParagraph(paragraph, state))}
  </div>`
}

export function link(href: string, content: ComponentChildren): ComponentChildren {
  return html`<a href=${href} target="_blank" rel="noopener noreferrer">${content}</a>`
}

/** Selects the code when the keyboard reaches it, so that it can be copied. */
export function codeBlock(text: ComponentChildren): ComponentChildren {
  const select = ({ currentTarget }: { currentTarget: HTMLElement }): void =>
    getSelection()?.selectAllChildren(currentTarget)
  return html`<pre tabindex="0" role="group" aria-label="Code" onFocus=${select}>${text}</pre>`
}

function renderParagraph(paragraph: Paragraph, state: WorkspaceState): ComponentChildren {
  if (paragraph.kind === 'pre') return codeBlock(paragraph.text)
  const children = paragraph.children.map((one) => renderInline(one, state))
  return paragraph.kind === 'quote'
    ? html`<blockquote>${children}</blockquote>`
    : html`<p>${children}</p>`
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
    case 'link':
      return link(node.url, withEmoji(node.label))
    case 'person':
      return mention(`@${personName(state, node.id)}`)
    case 'channel':
      return mention(`#${channelName(state, node.id) ?? (node.label || node.id)}`)
    case 'date':
      return renderDate(node)
  }
}

function mention(name: string): ComponentChildren {
  return html`<span class="mention">${name}</span>`
}

function renderDate({ atSeconds, format }: Extract<Inline, { kind: 'date' }>): ComponentChildren {
  const date = new Date(atSeconds * 1000)
  return html`<time datetime=${date.toISOString()} title=${date.toLocaleString()}>
    ${formatDate(atSeconds, format, { nowSeconds: Date.now() / 1000 })}
  </time>`
}

function channelName({ conversations }: WorkspaceState, id: string): string | undefined {
  return conversations.find((one) => one.id === id)?.name
}
