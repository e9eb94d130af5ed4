import { type ComponentChildren, h } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Conversation as ConversationInfo } from '../../simulator/protocol.ts'
import { Composer } from './composer.ts'
import { html } from './html.ts'
import { Message, replyButtonId } from './message.ts'
import { type Thread, threadsOf } from './threads.ts'
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
          <h2>${kind === 'channel' ? `#${name}` : name}</h2>
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

/** A list counts as scrolled to its end within this many pixels. */
const NEAR_END = 40

/**
 * Keeps the end of a list in view when a message, an image or something below the list changes its
 * size. Only a person who scrolls up leaves the end. Growing content does not, even though the
 * `scroll` event from scrolling to the end can arrive after the content has grown.
 */
function usePinnedScroll() {
  const scroller = useRef<HTMLDivElement>(null)
  /** The content of the scroller. */
  const content = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const lastTop = useRef(0)

  const keepEnd = (): void => {
    const list = scroller.current
    if (!list) return
    if (atEnd.current) list.scrollTop = list.scrollHeight
    lastTop.current = list.scrollTop
  }
  /** Handles the scroller's `scroll` events. */
  const scrolled = (): void => {
    const list = scroller.current
    if (!list) return
    const below = list.scrollHeight - list.scrollTop - list.clientHeight
    if (below < NEAR_END) atEnd.current = true
    else if (list.scrollTop < lastTop.current) atEnd.current = false
    lastTop.current = list.scrollTop
  }
  /** Scrolls to the end, and stays there. */
  const pin = (): void => {
    atEnd.current = true
    keepEnd()
  }

  useLayoutEffect(keepEnd)
  useEffect(() => {
    const resizes = new ResizeObserver(keepEnd)
    for (const { current } of [scroller, content]) if (current) resizes.observe(current)
    return () => resizes.disconnect()
  }, [])

  return { scroller, content, scrolled, pin }
}
