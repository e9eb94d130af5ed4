import { h, type ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Conversation } from '../../simulator/protocol.ts'
import { commandTyped, useSuggestion } from './suggestions.ts'
import { useDraft } from './drafts.ts'
import { html, icon } from './html.ts'
import { Menu } from './menu.ts'
import { useWorkspace } from './workspace.ts'

interface ComposerProps {
  conversation: Conversation
  threadTs?: string
  /** Called when something is being sent. */
  sent?: () => void
  /** Closes the composer of a reply. */
  leave?: () => void
}

/** The input for messages and commands. A text stays until it has been sent. */
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
  const suggestion = useSuggestion(text, commands, setText)
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
  const pressed = (event: KeyboardEvent): void => {
    if (event.isComposing || suggestion.take(event)) return
    if (event.key === 'Escape' && leave) return leave()
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    void send()
  }
  const tryOut = (example: string): void => {
    setText(example)
    input.current?.focus()
  }

  return html`<div class="composer-place">
    ${failure && html`<p class="composer-failure" role="alert">${icon('warning')} ${failure}</p>`}
    ${threadTs === undefined && !failure && h(Hint, { tryOut, hidden: text !== '' })}
    <div class="composer" aria-busy=${sending}>
      ${suggestion.list}
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
          onKeyDown=${pressed}
          ...${suggestion.attributes}
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
  return kind === 'channel' ? `Message #${name}, or type /` : `Type / to see what ${name} can do`
}

/** Makes the input as tall as its text. The style sheet limits its height. */
function fitHeight(input: HTMLTextAreaElement | null): void {
  if (!input) return
  input.style.height = 'auto'
  input.style.height = `${input.scrollHeight}px`
}

/**
 * An example for new visitors, until the app has posted its first message.
 *
 * @param hidden hides the hint but keeps its space, so that the messages don't move
 */
function Hint({
  tryOut,
  hidden,
}: {
  tryOut: (example: string) => void
  hidden: boolean
}): ComponentChildren {
  const { state } = useWorkspace()
  const command = state.app.commands[0]?.command
  const hasPosted = Object.values(state.messages)
    .flat()
    .some(({ author }) => author.kind === 'app')
  if (command === undefined || hasPosted) return undefined
  const example = `${command} https://example.com/some/long/page`
  return html`<p class="hint" data-hidden=${hidden}>
    Try
    <button type="button" class="hint-example" onClick=${() => tryOut(example)}>${example}</button>
  </p>`
}

/** The app's global shortcuts. @param conversation the id of the open one */
function ShortcutsMenu({ conversation }: { conversation: string }): ComponentChildren {
  const { state, perform } = useWorkspace()
  const { name, globalShortcuts } = state.app
  if (globalShortcuts.length === 0) return undefined
  return h(Menu, {
    label: 'Shortcuts',
    className: 'icon-button',
    face: icon('bolt'),
    heading: name,
    items: globalShortcuts.map((shortcut) => ({
      label: shortcut.name,
      hint: shortcut.description,
      choose: () =>
        perform({ type: 'global_shortcut', callbackId: shortcut.callbackId, conversation }),
    })),
  })
}
