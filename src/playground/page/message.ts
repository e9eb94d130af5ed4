import { h, type ComponentChildren } from 'preact'
import type {
  Container,
  Conversation,
  Message as MessageInfo,
  SlackJson,
} from '../../simulator/protocol.ts'
import { authorName, avatar } from './author.ts'
import { attachment } from './blocks/attachment.ts'
import { Blocks } from './blocks/blocks.ts'
import type { HeldValues } from './blocks/held-values.ts'
import { html } from './html.ts'
import { icon } from './icons.ts'
import { MessageActions } from './message-actions.ts'
import { MessageFiles } from './message-files.ts'
import { Mrkdwn } from './mrkdwn/render.ts'
import { useWorkspace } from './workspace.ts'

interface MessageProps {
  message: MessageInfo
  conversation: Conversation
  held: HeldValues
  /** Whether the author's name need not stand again. */
  continued?: boolean
  /** Begins or ends a reply; absent where there is none to be given. */
  reply?: (() => void) | undefined
}

export function Message(props: MessageProps): ComponentChildren {
  const { message, conversation, held, continued = false } = props
  const { state, perform } = useWorkspace()
  const { author, ephemeral, ts } = message
  const name = authorName(state, author)
  const place: Container = { kind: 'message', conversation: conversation.id, ts }
  const blocksIn = (container: Container, blocks: readonly SlackJson[]): ComponentChildren =>
    h(Blocks, {
      blocks,
      held,
      name: `${state.viewer} ${JSON.stringify(container)}`,
      container: () => container,
    })
  const edited = message.edited && html` <span class="muted">(edited)</span>`
  const dismiss = ({ currentTarget }: { currentTarget: HTMLElement }): void => {
    // The button goes with the message; the focus stays among the others.
    currentTarget.closest<HTMLElement>('[role=log]')?.focus({ preventScroll: true })
    perform({ type: 'dismiss_message', conversation: conversation.id, ts })
  }

  return html`<article
    class="message"
    aria-label=${`${name}${ephemeral ? ', only visible to you' : ''}`}
    data-ephemeral=${ephemeral}
    data-continued=${continued}
  >
    ${continued ? html`<span class="avatar-space"></span>` : avatar(state, author)}
    <div class="message-body">
      ${ephemeral && html`<p class="only-you">${icon('eye')} Only visible to you</p>`}
      ${
        !continued &&
        html`<p class="byline">
          <strong>${name}</strong>
          ${author.kind === 'app' && html`<span class="badge">app</span>`} ${time(ts)}
        </p>`
      }
      ${
        message.blocks
          ? blocksIn(place, message.blocks)
          : message.text !== '' && h(Mrkdwn, { text: message.text, end: edited })
      }
      ${message.attachments?.map((one, index) =>
        attachment(one, state, (blocks) => blocksIn({ ...place, attachment: index }, blocks)),
      )}
      ${h(MessageFiles, { ids: message.files })}
      ${message.blocks && edited && html`<p>${edited}</p>`}
      ${
        ephemeral &&
        html`<button type="button" class="link-button" onClick=${dismiss}>Dismiss message</button>`
      }
    </div>
    ${!ephemeral && h(MessageActions, { message, conversation, reply: props.reply })}
  </article>`
}

/** A message's time of day; the whole date when it is pointed at. */
function time(ts: string): ComponentChildren {
  const moment = new Date(Number(ts) * 1000)
  const shown = moment.toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' })
  return html`<time datetime=${moment.toISOString()} title=${moment.toLocaleString()}
    >${shown}</time
  >`
}
