import { h, type ComponentChildren } from 'preact'
import type { Conversation, Message } from '../../simulator/protocol.ts'
import { html } from './html.ts'
import { icon } from './icons.ts'
import { Menu } from './menu.ts'
import { useWorkspace } from './workspace.ts'

interface MessageActionsProps {
  message: Message
  conversation: Conversation
  reply: (() => void) | undefined
}

/** The button that begins a reply, and that has the focus again after it. */
export function replyButtonId(ts: string): string {
  return `reply-${ts}`
}

/** What can be done with a message: shown when it is pointed at, or holds the focus. */
export function MessageActions(props: MessageActionsProps): ComponentChildren {
  const { message, conversation, reply } = props
  const { state, perform } = useWorkspace()
  const { name, messageShortcuts } = state.app
  const items = messageShortcuts.map((shortcut) => ({
    label: shortcut.name,
    hint: shortcut.description,
    choose: () =>
      perform({
        type: 'message_shortcut',
        callbackId: shortcut.callbackId,
        conversation: conversation.id,
        ts: message.ts,
      }),
  }))
  return html`<div class="message-actions">
    ${
      reply &&
      html`<button
        type="button"
        id=${replyButtonId(message.ts)}
        class="icon-button"
        aria-label="Reply in thread"
        title="Reply in thread"
        onClick=${reply}
      >
        ${icon('reply')}
      </button>`
    }
    ${
      items.length > 0 &&
      h(Menu, {
        label: 'Message shortcuts',
        className: 'icon-button',
        face: icon('dots'),
        heading: name,
        items,
      })
    }
  </div>`
}
