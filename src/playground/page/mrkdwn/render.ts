import { h, type ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { WorkspaceState } from '../../../simulator/protocol.ts'
import { string } from '../../../simulator/shared/slack-json.ts'
import { asObject } from '../../../values/unknown-values.ts'
import { personName, useWorkspace } from '../workspace.ts'
import { html } from '../html.ts'
import { emoji, formatDate, withEmoji } from './words.ts'
import { parseMrkdwn, type Inline, type Paragraph } from './parse.ts'

export function text(value: unknown) {
  const { type, text: content } = asObject(value)
  return type === 'mrkdwn' ? h(Mrkdwn, { text: string(content) }) : plain(value)
}

export function plain(value: unknown): string {
  return withEmoji(string(asObject(value).text))
}

export function Mrkdwn({ text }: { text: string }) {
  const { state } = useWorkspace()
  // Every change of the workspace rerenders all messages, but few of their texts change.
  const paragraphs = useMemo(() => parseMrkdwn(text), [text])
  return html`<div class="mrkdwn">
    ${paragraphs.map((paragraph) => renderParagraph(paragraph, state))}
  </div>`
}

/** Renders a block of code. Keyboard focus selects its text, so that it can be copied. */
export function codeBlock(text: ComponentChildren) {
  const select = ({ currentTarget }: { currentTarget: HTMLElement }): void =>
    getSelection()?.selectAllChildren(currentTarget)
  return html`<pre tabindex="0" role="group" aria-label="Code" onFocus=${select}>${text}</pre>`
}

function renderParagraph(paragraph: Paragraph, state: WorkspaceState) {
  if (paragraph.kind === 'pre') return codeBlock(paragraph.text)
  const children = paragraph.children.map((node) => renderInline(node, state))
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
      return html`<strong>${node.children.map((child) => renderInline(child, state))}</strong>`
    case 'italic':
      return html`<em>${node.children.map((child) => renderInline(child, state))}</em>`
    case 'link':
      return html`<a href=${node.url} target="_blank" rel="noopener noreferrer">
        ${withEmoji(node.label)}
      </a>`
    case 'person':
      return mention(`@${personName(state, node.id)}`)
    case 'channel': {
      const channel = state.conversations.find(({ id }) => id === node.id)
      return mention(`#${channel?.name ?? (node.label || node.id)}`)
    }
    case 'date':
      return renderDate(node)
  }
}

function mention(name: string) {
  return html`<span class="mention">${name}</span>`
}

function renderDate({ atSeconds, format }: Extract<Inline, { kind: 'date' }>) {
  const date = new Date(atSeconds * 1000)
  return html`<time datetime=${date.toISOString()} title=${date.toLocaleString()}>
    ${formatDate(atSeconds, format, { nowSeconds: Date.now() / 1000 })}
  </time>`
}
