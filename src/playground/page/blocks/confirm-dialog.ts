import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { SlackJson } from '../../protocol.ts'
import { html } from '../html.ts'
import { plain, text } from './text.ts'

/** Asks before an element is used. */
export function ConfirmDialog({
  confirm,
  answer,
}: {
  confirm: SlackJson
  answer: (yes: boolean) => void
}): ComponentChildren {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // Closing it gives the focus back to the element that asked.
    return () => shown?.close()
  }, [])
  const style = confirm.style === 'danger' ? 'button danger' : 'button primary'
  return html`<dialog
    ref=${dialog}
    class="confirm"
    aria-labelledby="confirm-title"
    onCancel=${(event: Event) => {
      event.preventDefault()
      event.stopPropagation()
      answer(false)
    }}
    onKeyDown=${(event: Event) => event.stopPropagation()}
  >
    <h2 id="confirm-title">${plain(confirm.title)}</h2>
    <div>${text(confirm.text)}</div>
    <div class="dialog-buttons">
      <button type="button" class="button" onClick=${() => answer(false)}>
        ${plain(confirm.deny) || 'Cancel'}
      </button>
      <button type="button" class=${style} onClick=${() => answer(true)}>
        ${plain(confirm.confirm) || 'Yes'}
      </button>
    </div>
  </dialog>`
}
