import { h } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Conversation as ConversationInfo } from '../../simulator/protocol.ts'
import { Composer } from './composer.ts'
import { html } from './html.ts'
import { Message, replyButtonId } from './message.ts'
import { type Thread, groupThreads } from './threads.ts'
import { useWorkspace } from './workspace.ts'

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
