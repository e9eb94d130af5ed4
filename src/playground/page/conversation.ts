import { h, type ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Conversation as ConversationInfo } from '../../simulator/protocol.ts'
import { Composer } from './composer.ts'
import { html } from './html.ts'
import { Message, replyButtonId } from './message.ts'
import { threadsOf, type Thread } from './threads.ts'
import { usePinnedScroll } from './use-pinned-scroll.ts'
import { useWorkspace } from './workspace.ts'

interface ConversationProps {
  conversation: ConversationInfo
}

/** Messages and the composer. */
export function Conversation({ conversation }: ConversationProps): ComponentChildren {
  const { state } = useWorkspace()
  const [replyingTo, setReplyingTo] = useState<string>()
  const { scroller, content, scrolled, pin } = usePinnedScroll()
  const { kind, name, purpose, readOnly } = conversation
  const messages = state.messages[conversation.id] ?? []

  return html`<div class="conversation">
    <div
      ref=${scroller}
      class="scroll"
      role="log"
      aria-label="Messages"
      tabindex="0"
      onScroll=${scrolled}
    >
      <div ref=${content} class="messages">
        <header class="beginning">
          <h3>${kind === 'channel' ? `#${name}` : name}</h3>
          <p>${purpose || `Your direct messages with ${name}`}</p>
        </header>
        ${threadsOf(messages).map(thread)}
      </div>
    </div>
    ${
      readOnly
        ? html`<p class="read-only">Only ${name} can post here.</p>`
        : h(Composer, { conversation, sent: pin })
    }
  </div>`

  function thread({ message, replies, continued }: Thread): ComponentChildren {
    const replying = replyingTo === message.ts
    const reply = readOnly
      ? undefined
      : (): void => setReplyingTo(replying ? undefined : message.ts)
    return html`<div class="thread" key=${message.ts}>
      ${h(Message, { message, conversation, continued, reply })}
      ${
        (replies.length > 0 || replying) &&
        html`<div class="replies">
          ${replies.map((one) => h(Message, { key: one.ts, message: one, conversation }))}
          ${
            replying &&
            h(Composer, {
              conversation,
              threadTs: message.ts,
              leave: () => {
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
