import { h } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type {
  Container,
  Conversation as ConversationInfo,
  Message as MessageInfo,
  SlackJson,
} from '../../simulator/protocol.ts'
import { objects } from '../../simulator/shared/slack-json.ts'
import { Blocks } from './blocks/blocks.ts'
import { Composer } from './composer.ts'
import { html, icon, iconButton } from './html.ts'
import { ShortcutsMenu } from './menu.ts'
import { Mrkdwn } from './mrkdwn/render.ts'
import { groupThreads, type Thread } from './threads.ts'
import { authorName, avatar, useWorkspace } from './workspace.ts'

export function Conversation({ conversation }: { conversation: ConversationInfo }) {
  const { state } = useWorkspace()
  const [replyingTo, setReplyingTo] = useState<string>()
  const scroller = useRef<HTMLDivElement>(null)
  // The style sheet keeps the end in view, at position 0, unless a person scrolls up.
  const showEnd = (): void => scroller.current?.scrollTo(0, 0)
  const { kind, name, purpose } = conversation
  const isReadOnly = kind === 'app_dm'
  const messages = state.messages[conversation.id] ?? []

  return html`<div class="conversation">
    <div ref=${scroller} class="scroll" role="log" aria-label="Messages" tabindex="0">
      <div class="column messages">
        <header class="beginning">
          <h2>${kind === 'channel' ? `#${name}` : name}</h2>
          <p class="muted">${purpose}</p>
        </header>
        ${groupThreads(messages).map(thread)}
      </div>
    </div>
    ${
      isReadOnly
        ? html`<p class="read-only muted">Only ${name} can post here.</p>`
        : h(Composer, { conversation, onSend: showEnd })
    }
  </div>`

  function thread({ message, replies }: Thread) {
    const replying = replyingTo === message.ts
    const reply = isReadOnly
      ? undefined
      : (): void => setReplyingTo(replying ? undefined : message.ts)
    return html`<div key=${message.ts}>
      ${h(Message, { message, conversation, reply })}
      ${
        (replies.length > 0 || replying) &&
        html`<div class="replies">
          ${replies.map((answer) => h(Message, { key: answer.ts, message: answer, conversation }))}
          ${
            replying &&
            h(Composer, {
              conversation,
              threadTs: message.ts,
              onLeave: () => {
                setReplyingTo(undefined)
                document.getElementById(replyButtonId(message.ts))?.focus()
              },
            })
          }
        </div>`
      }
    </div>`
  }
}

interface MessageProps {
  message: MessageInfo
  conversation: ConversationInfo
  reply?: (() => void) | undefined
}

function Message({ message, conversation, reply }: MessageProps) {
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
    return h(Blocks, { blocks, container })
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

function replyButtonId(ts: string): string {
  return `reply-${ts}`
}

function time(ts: string) {
  const date = new Date(Number(ts) * 1000)
  const label = date.toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' })
  return html`<time class="muted" datetime=${date.toISOString()} title=${date.toLocaleString()}>
    ${label}
  </time>`
}
