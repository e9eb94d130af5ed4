import { h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Conversation, FileInfo } from '../../simulator/protocol.ts'
import { html, icon, iconButton } from './html.ts'
import { ShortcutsMenu } from './menu.ts'
import { useWorkspace } from './workspace.ts'

interface ComposerProps {
  conversation: Conversation
  threadTs?: string
  onSend?: () => void
  onLeave?: () => void
}

export function Composer({ conversation, threadTs, onSend, onLeave }: ComposerProps) {
  const { state, act, upload } = useWorkspace()
  const [text, setText] = useState('')
  const [file, setFile] = useState<FileInfo>()
  const picker = useRef<HTMLInputElement>(null)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const input = useRef<HTMLTextAreaElement>(null)

  // The word that might be a command: `/`, `/sh` or `/shorten`.
  const [firstWord = ''] = text.toLowerCase().split(/\s/, 1)
  const isPartial = firstWord.startsWith('/') && firstWord.length === text.length
  const { slash_commands: commands } = state.app.manifest.features
  const usage = commands.find(({ command }) =>
    isPartial ? command.startsWith(firstWord) : command === firstWord,
  )

  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) input.current?.focus()
  }, [])

  const isEmpty = text.trim() === '' && !file
  const send = async (): Promise<void> => {
    if (isEmpty || sending) return
    setSending(true)
    setFailure(undefined)
    onSend?.()
    const result = await act({
      type: 'write',
      conversation: conversation.id,
      text,
      ...(file && { files: [file.id] }),
      ...(threadTs !== undefined && { threadTs }),
    })
    setSending(false)
    if (!result.ok) return setFailure(result.message)
    setText('')
    setFile(undefined)
  }
  const attach = async (picked: File | undefined): Promise<void> => {
    if (!picked) return
    setFailure(undefined)
    const result = await upload(picked)
    if ('message' in result) setFailure(result.message)
    else setFile(result)
    if (picker.current) picker.current.value = ''
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, shiftKey } = event
    if (event.isComposing || shiftKey) return
    if (key === 'Escape') return onLeave?.()
    // Tab completes a command, and so does Enter if the command isn't complete yet.
    const canComplete = usage && isPartial && (key === 'Tab' || usage.command !== text)
    if (canComplete && (key === 'Tab' || key === 'Enter')) {
      event.preventDefault()
      setText(`${usage.command} `)
    } else if (key === 'Enter') {
      event.preventDefault()
      void send()
    }
  }
  const tryOut = (example: string): void => {
    setText(example)
    input.current?.focus()
  }
  const placeholder = threadTs === undefined ? `Message #${conversation.name}, or type /` : 'Reply…'
  return html`<div class="column composer-place">
    ${failure && html`<p class="row trouble" role="alert">${icon('warning')} ${failure}</p>`}
    ${threadTs === undefined && !failure && h(Hint, { tryOut })}
    <div class="composer" aria-busy=${sending}>
      ${
        usage &&
        html`<p class="usage muted">
          <strong>${usage.command}</strong> ${usage.usage_hint}<br />${usage.description}
        </p>`
      }
      ${file && html`<p class="row muted usage">${icon('file')} ${file.name}</p>`}
      <div class="row">
        <input
          ref=${picker}
          type="file"
          hidden
          onChange=${() => void attach(picker.current?.files?.[0])}
        />
        ${iconButton('file', 'Attach a file', () => picker.current?.click())}
        ${threadTs === undefined && h(ShortcutsMenu, { conversation: conversation.id })}
        <textarea
          ref=${input}
          class="wide"
          rows="1"
          value=${text}
          readonly=${sending}
          placeholder=${placeholder}
          aria-label=${placeholder}
          maxlength="12000"
          onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) =>
            setText(currentTarget.value)}
          onKeyDown=${onKeyDown}
        ></textarea>
        ${iconButton('send', 'Send', () => void send(), {
          class: 'icon-button send',
          title: 'Send (Enter)',
          disabled: isEmpty || sending,
        })}
      </div>
    </div>
  </div>`
}

function Hint({ tryOut }: { tryOut: (example: string) => void }) {
  const { state } = useWorkspace()
  const command = state.app.manifest.features.slash_commands[0]?.command
  const hasPosted = Object.values(state.messages)
    .flat()
    .some(({ author }) => author.kind === 'app')
  if (command === undefined || hasPosted) return undefined
  const example = `${command} https://example.com/some/long/page`
  return html`<p class="hint muted">
    Try${' '}
    <button type="button" class="hint-example" onClick=${() => tryOut(example)}>
      <code>${example}</code>
    </button>
  </p>`
}
