import { h } from 'preact'
import type {
  Container,
  Conversation,
  Message as MessageInfo,
  SlackJson,
} from '../../simulator/protocol.ts'
import { objects } from '../../simulator/shared/slack-json.ts'
import { authorName, avatar, useWorkspace } from './workspace.ts'
import { Blocks } from './blocks/blocks.ts'
import { html, icon, iconButton } from './html.ts'
import { ShortcutsMenu } from './menu.ts'
import { Mrkdwn } from './mrkdwn/render.ts'

interface MessageProps {
  message: MessageInfo
  conversation: Conversation
  reply?: (() => void) | undefined
}

export function Message({ message, conversation, reply }: MessageProps) {
  const { state, perform } = useWorkspace()
  const { author, ephemeral, edited, ts } = message
  const name = authorName(state, author)
  const container: Container = { kind: 'message', conversation: conversation.id, ts }
  const dismiss = ({ currentTarget }: { currentTarget: HTMLElement }): void => {
    // The button is removed with the message, so the focus moves to the list.
    currentTarget.closest<HTMLElement>('[role=log]')?.focus({ preventScroll: true })
    perform({ type: 'dismiss_message', conversation: conversation.id, ts })
  }

  return html`<article
    class="message"
    aria-label=${`${name}${ephemeral ? ', only visible to you' : ''}`}
    data-ephemeral=${ephemeral}
  >
    ${avatar(state, author)}
    <div class="wide">
      ${ephemeral && html`<p class="row only-you">${icon('eye')} Only visible to you</p>`}
      <p class="row">
        <strong>${name}</strong>
        ${author.kind === 'app' && html`<span class="badge">app</span>`} ${time(ts)}
        ${edited && html`<span class="muted">edited</span>`}
      </p>
      ${message.blocks ? blocks(message.blocks) : h(Mrkdwn, { text: message.text })}
      ${message.files?.map((id) => h(SharedFile, { id }))}
      ${message.attachments?.map(
        (attachment) => html`<div class="attachment">${blocks(objects(attachment.blocks))}</div>`,
      )}
      ${
        ephemeral &&
        html`<button type="button" class="link-button" onClick=${dismiss}>Dismiss message</button>`
      }
    </div>
    ${
      !ephemeral &&
      html`<div class="message-actions">
        ${reply && iconButton('reply', 'Reply in thread', reply, { id: replyButtonId(ts) })}
        ${h(ShortcutsMenu, { conversation: conversation.id, ts })}
      </div>`
    }
  </article>`

  function blocks(blocks: readonly SlackJson[]) {
    return h(Blocks, { blocks, container: () => container })
  }
}

function SharedFile({ id }: { id: string }) {
  const file = useWorkspace().state.files[id]
  return file
    ? html`<p class="row">
        ${icon('file')} <a href=${file.url} download=${file.name}>${file.name}</a>
      </p>`
    : html`<p class="muted">This file is no longer there.</p>`
}

export function replyButtonId(ts: string): string {
  return `reply-${ts}`
}

function time(ts: string) {
  const date = new Date(Number(ts) * 1000)
  const label = date.toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' })
  return html`<time class="muted" datetime=${date.toISOString()} title=${date.toLocaleString()}>
    ${label}
  </time>`
}
