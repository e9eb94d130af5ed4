import { h, type ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Conversation } from '../../simulator/protocol.ts'
import { commandTyped } from './completion.ts'
import { Hint } from './composer-hint.ts'
import { ShortcutsMenu } from './shortcuts-menu.ts'
import { useDraft } from './drafts.ts'
import { html } from './html.ts'
import { icon } from './icons.ts'
import { useSuggestions } from './suggestions.ts'
import { useWorkspace } from './workspace.ts'

interface ComposerProps {
  conversation: Conversation
  threadTs?: string
  /** Is told that something is being sent. */
  sent?: () => void
  /** Leaves a reply. */
  leave?: () => void
}

/** Where one writes. What was written stays until it has been sent. */
export function Composer({
  conversation,
  threadTs,
  sent,
  leave,
}: ComposerProps): ComponentChildren {
  const { state, act } = useWorkspace()
  const [text, setText] = useDraft(`${state.viewer} ${conversation.id} ${threadTs ?? ''}`)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const input = useRef<HTMLTextAreaElement>(null)
  const { commands } = state.app
  const suggestions = useSuggestions(text, commands, setText)
  const usage = commandTyped(text, commands)

  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) input.current?.focus()
  }, [])
  useLayoutEffect(() => fitHeight(input.current), [text])

  const send = async (): Promise<void> => {
    if (text.trim() === '' || sending) return
    setSending(true)
    setFailure(undefined)
    sent?.()
    const result = await act({
      type: 'write',
      conversation: conversation.id,
      text,
      ...(threadTs !== undefined && { threadTs }),
    })
    setSending(false)
    if (result.ok) setText('')
    else setFailure(result.message)
  }
  const typed = (event: KeyboardEvent): void => {
    if (event.isComposing || suggestions.take(event)) return
    if (event.key === 'Escape' && leave) return leave()
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    void send()
  }
  const begin = (words: string): void => {
    setText(words)
    input.current?.focus()
  }

  return html`<div class="composer-place">
    ${failure && html`<p class="composer-failure" role="alert">${icon('warning')} ${failure}</p>`}
    ${threadTs === undefined && !failure && h(Hint, { begin, hidden: text !== '' })}
    <div class="composer" aria-busy=${sending}>
      ${suggestions.list}
      ${
        usage &&
        html`<p class="usage"><strong>${usage.command}</strong> <span>${usage.usageHint}</span></p>`
      }
      <div class="composer-row">
        ${threadTs === undefined && h(ShortcutsMenu, { conversation: conversation.id })}
        <textarea
          ref=${input}
          rows="1"
          value=${text}
          readonly=${sending}
          placeholder=${placeholder(conversation, threadTs)}
          aria-label=${placeholder(conversation, threadTs)}
          maxlength="12000"
          onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) =>
            setText(currentTarget.value)}
          onKeyDown=${typed}
          ...${suggestions.attributes}
        ></textarea>
        <button
          type="button"
          class="send"
          aria-label="Send"
          title="Send (Enter)"
          disabled=${text.trim() === '' || sending}
          onClick=${() => void send()}
        >
          ${icon('send')}
        </button>
      </div>
    </div>
  </div>`
}

function placeholder({ kind, name }: Conversation, threadTs: string | undefined): string {
  if (threadTs !== undefined) return 'Reply…'
  return kind === 'channel' ? `Message #${name}, or type /` : `Type / for what ${name} can do`
}

/** As many lines as the text has; the style sheet says how many at most. */
function fitHeight(input: HTMLTextAreaElement | null): void {
  if (!input) return
  input.style.height = 'auto'
  input.style.height = `${input.scrollHeight}px`
}
