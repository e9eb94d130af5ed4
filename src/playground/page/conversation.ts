import { h, type ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Conversation as ConversationInfo } from '../protocol.ts'
import type { HeldValues } from './blocks/held-values.ts'
import { Composer } from './composer.ts'
import { html } from './html.ts'
import { Message } from './message.ts'
import { replyButtonId } from './message-actions.ts'
import { threadsOf, type Thread } from './threads.ts'
import { useWorkspace } from './workspace.ts'

interface ConversationProps {
  conversation: ConversationInfo
  held: HeldValues
}

/** Within this many pixels of the end, new messages keep the end in view. */
const NEAR_END = 120

/** Messages, and where to write another. */
export function Conversation({ conversation, held }: ConversationProps): ComponentChildren {
  const { state } = useWorkspace()
  const [replyingTo, setReplyingTo] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const messages = state.messages[conversation.id] ?? []

  const keepEnd = (): void => {
    if (atEnd.current) list.current?.scrollTo({ top: list.current.scrollHeight })
  }
  useLayoutEffect(keepEnd, [messages.length, JSON.stringify(messages.at(-1))])
  const scrolled = ({ currentTarget }: { currentTarget: HTMLElement }): void => {
    const { scrollHeight, scrollTop, clientHeight } = currentTarget
    atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END
  }

  return html`<div class="conversation">
    <div
      ref=${list}
      class="scroll"
      role="log"
      aria-label="Messages"
      tabindex="0"
      onScroll=${scrolled}
      onLoadCapture=${keepEnd}
    >
      <div class="messages">
        <header class="beginning">
          <h3>${conversation.kind === 'channel' ? `#${conversation.name}` : conversation.name}</h3>
          <p>${conversation.purpose || 'This is where it begins.'}</p>
        </header>
        ${threadsOf(messages).map(thread)}
      </div>
    </div>
    ${h(Composer, { conversation })}
  </div>`

  function thread({ message, replies, continued }: Thread): ComponentChildren {
    const replying = replyingTo === message.ts
    const reply = (): void => setReplyingTo(replying ? undefined : message.ts)
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
