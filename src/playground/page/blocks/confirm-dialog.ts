import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { SlackJson } from '../../../simulator/protocol.ts'
import { html } from '../html.ts'
import { plain, text } from '../mrkdwn/render.ts'

/** Asks for confirmation before an element is used. */
export function ConfirmDialog({
  confirm,
  answer,
}: {
  confirm: SlackJson
  answer: (yes: boolean) => void
}): ComponentChildren {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const finish = (yes: boolean): void => {
    // Closing the dialog before it is removed returns the focus to the element.
    dialog.current?.close()
    answer(yes)
  }
  const style = confirm.style === 'danger' ? 'button danger' : 'button primary'
  return html`<dialog
    ref=${dialog}
    class="confirm"
    aria-labelledby="confirm-title"
    onCancel=${(event: Event) => {
      event.preventDefault()
      event.stopPropagation()
      finish(false)
    }}
    onKeyDown=${(event: Event) => event.stopPropagation()}
  >
    <h2 id="confirm-title">${plain(confirm.title) || 'Are you sure?'}</h2>
    <div>${text(confirm.text)}</div>
    <div class="dialog-buttons">
      <button type="button" class="button" onClick=${() => finish(false)}>
        ${plain(confirm.deny) || 'Cancel'}
      </button>
      <button type="button" class=${style} onClick=${() => finish(true)}>
        ${plain(confirm.confirm) || 'Yes'}
      </button>
    </div>
  </dialog>`
}
