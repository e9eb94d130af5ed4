import { h } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Modal as ModalInfo, Refusal } from '../../simulator/protocol.ts'
import { objects } from '../../simulator/shared/slack-json.ts'
import { avatar, useWorkspace } from './workspace.ts'
import { hasControl, Blocks } from './blocks/blocks.ts'
import { useHeldValues } from './blocks/held-values.ts'
import { useFormFocus } from './focus.ts'
import { html, icon, iconButton } from './html.ts'
import { plain } from './mrkdwn/render.ts'

export function ModalStack() {
  const all = useWorkspace().state.modals
  const [count, setCount] = useState(1)
  const modals = all.slice(0, count)
  // The browser stacks dialogs in the order in which they open. After a reload, several can open at once.
  useLayoutEffect(() => setCount(modals.length + 1), [modals.length])
  // In reverse order, so that the top modal is removed first, and each modal returns the focus to the modal below it.
  const dialogs = modals.map((modal, index) =>
    h(Modal, { key: modal.id, modal, isTop: index === modals.length - 1 }),
  )
  return [modals.length === 0 && h(Notices, {}), dialogs.toReversed()]
}

function Modal({ modal, isTop }: { modal: ModalInfo; isTop: boolean }) {
  const { state, perform } = useWorkspace()
  const [attempts, setAttempts] = useState(0)
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const { id, view, errors, submitting, trouble } = modal
  const blocks = objects(view.blocks)
  const held = useHeldValues(blocks)
  const submitLabel = plain(view.submit)

  useLayoutEffect(() => {
    dialog.current?.showModal()
    return () => {
      dialog.current?.close()
      returnFocus()
    }
  }, [])
  // This effect must run after showModal, because elements of a closed dialog can't get the focus.
  useFormFocus(form, blocks, `${attempts} ${JSON.stringify(errors)}`)

  const close = (): void => perform({ type: 'close_modal', id })
  const cancel = (event: Event): void => {
    if (event.target !== dialog.current) return // A file input inside the form was canceled.
    event.preventDefault()
    close()
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    if (!submitLabel || submitting) return
    perform({ type: 'submit_modal', id, values: held.values.current }, () =>
      setAttempts((count) => count + 1),
    )
  }
  return html`<dialog ref=${dialog} class="modal" aria-labelledby=${titleId} onCancel=${cancel}>
    <form ref=${form} class="modal-form" novalidate onSubmit=${submit}>
      <header class="row modal-head">
        ${avatar(state, { kind: 'app' })}
        <h2 class="wide" id=${titleId}>${plain(view.title)}</h2>
        ${iconButton('close', 'Close', close)}
      </header>
      <div class="modal-body" tabindex=${blocks.some(hasControl) ? undefined : 0}>
        ${h(Blocks, { blocks, held, errors, container: { kind: 'modal', id } })}
      </div>
      ${trouble && html`<p class="row trouble" role="alert">${icon('warning')} ${trouble}</p>`}
      <footer class="row dialog-buttons">
        <button type="button" class="button" onClick=${close}>
          ${plain(view.close) || 'Close'}
        </button>
        ${
          submitLabel &&
          html`<button
            type="submit"
            class="button primary"
            aria-disabled=${submitting}
            aria-busy=${submitting}
          >
            ${submitting ? 'Submitting…' : submitLabel}
          </button>`
        }
      </footer>
    </form>
    ${isTop && h(Notices, {})}
  </dialog>`
}

/** Moves the focus to the list if the app has removed the element that had the focus before the modal opened. */
function returnFocus(): void {
  // Makes the browser update its styles. Until then, an element behind the dialog can't take keystrokes.
  document.body.getBoundingClientRect()
  const { activeElement: active } = document
  if (active instanceof HTMLElement) {
    active.blur()
    active.focus()
  }
  if (document.activeElement !== document.body) return
  document.querySelector<HTMLElement>('.scroll')?.focus({ preventScroll: true })
}

/** Shows errors. While a modal is open, the notices are inside it, because nothing else on the page can be used. */
function Notices() {
  const { state, notice, dismissNotice, perform } = useWorkspace()
  const { refusals } = state
  return html`<div class="notices" role="status">
    ${
      notice &&
      html`<div class="row notice">
        <p class="wide">${notice}</p>
        ${iconButton('close', 'Dismiss', dismissNotice)}
      </div>`
    }
    ${
      refusals.length > 0 &&
      html`<section class="row notice" aria-label="Slack errors">
        <div class="wide">
          <h2 class="row">${icon('warning')} Slack would reject this</h2>
          ${refusals.map(refusal)}
          <p class="muted">If the app has answered anyway, it has handled this.</p>
        </div>
        ${iconButton('close', 'Dismiss Slack errors', () => perform({ type: 'dismiss_refusals' }))}
      </section>`
    }
  </div>`
}

function refusal({ id, where, error, details }: Refusal) {
  return html`<div key=${id}>
    <p><code>${where}</code> → <code>${error}</code></p>
    ${details.map((detail) => html`<p class="muted">${detail}</p>`)}
  </div>`
}
