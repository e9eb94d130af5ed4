import { h, type ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Conversation as ConversationInfo } from '../../simulator/protocol.ts'
import type { HeldValues } from './blocks/held-values.ts'
import { Composer } from './composer.ts'
import { html } from './html.ts'
import { Message } from './message.ts'
import { replyButtonId } from './message-actions.ts'
import { threadsOf, type Thread } from './threads.ts'
import { useFollowing } from './use-pinned-scroll.ts'
import { useWorkspace } from './workspace.ts'

interface ConversationProps {
  conversation: ConversationInfo
  held: HeldValues
}

/** Messages, and where to write another. */
export function Conversation({ conversation, held }: ConversationProps): ComponentChildren {
  const { state } = useWorkspace()
  const [replyingTo, setReplyingTo] = useState<string>()
  const { scroller, content, scrolled, follow } = useFollowing()
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
          <h3>${conversation.kind === 'channel' ? `#${conversation.name}` : conversation.name}</h3>
          <p>${conversation.purpose || 'This is where it begins.'}</p>
        </header>
        ${threadsOf(messages).map(thread)}
      </div>
    </div>
    ${
      conversation.readOnly
        ? html`<p class="read-only">Only ${conversation.name} writes here.</p>`
        : h(Composer, { conversation, sent: follow })
    }
  </div>`

  function thread({ message, replies, continued }: Thread): ComponentChildren {
    const replying = replyingTo === message.ts
    const reply = conversation.readOnly
      ? undefined
      : (): void => setReplyingTo(replying ? undefined : message.ts)
    return html`<div class="thread" key=${message.ts}>
      ${h(Message, { message, conversation, held, continued, reply })}
      ${
        (replies.length > 0 || replying) &&
        html`<div class="replies">
          ${replies.map((one) => h(Message, { key: one.ts, message: one, conversation, held }))}
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
