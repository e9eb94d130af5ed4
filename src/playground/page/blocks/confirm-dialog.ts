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
  const style = confirm.style === 'danger' ? 'button danger' : 'button primary'
  return html`<dialog
    ref=${dialog}
    class="confirm"
    aria-labelledby="confirm-title"
    onClose=${() => answer(dialog.current?.returnValue === 'yes')}
  >
    <h2 id="confirm-title">${plain(confirm.title) || 'Are you sure?'}</h2>
    <div>${text(confirm.text)}</div>
    <div class="dialog-buttons">
      <button type="button" class="button" onClick=${() => dialog.current?.close()}>
        ${plain(confirm.deny) || 'Cancel'}
      </button>
      <button type="button" class=${style} onClick=${() => dialog.current?.close('yes')}>
        ${plain(confirm.confirm) || 'Yes'}
      </button>
    </div>
  </dialog>`
}
