import { h, type ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Modal as ModalInfo } from '../../simulator/protocol.ts'
import { objects } from '../../simulator/shared/slack-json.ts'
import { avatar } from './author.ts'
import { Blocks } from './blocks/blocks.ts'
import type { HeldValues } from './blocks/held-values.ts'
import { anchorOf, atAnchor, useFormFocus, type Anchor } from './focus.ts'
import { html, icon } from './html.ts'
import { plain } from './mrkdwn/render.ts'
import { Notices } from './notices.ts'
import { useWorkspace } from './workspace.ts'

/**
 * The topmost open modal, and the notices. One dialog shows all modals in turn, so that
 * the browser traps the focus in it, and returns the focus when the last modal closes.
 */
export function ModalStack({ held }: { held: HeldValues }): ComponentChildren {
  const { state, perform } = useWorkspace()
  const dialog = useRef<HTMLDialogElement>(null)
  /** The ids of modals that the person has closed, even if the last state still has them. */
  const [closing, setClosing] = useState<readonly string[]>([])
  const covered = useRef(new Map<string, Anchor>())
  const opener = useRef<Anchor>(undefined)
  const modals = state.modals.filter(({ id }) => !closing.includes(id))
  const top = modals.at(-1)
  const isOpen = top !== undefined
  if (isOpen && !dialog.current?.open) opener.current = anchorOf(document.body)

  useLayoutEffect(() => {
    if (isOpen || !dialog.current?.open) return
    dialog.current.close()
    returnFocus(opener.current)
  }, [isOpen])

  const close = (): void => {
    if (!top) return
    // The modal closes at once, so that the next keystroke already goes to the page.
    const ids = top.view.clear_on_close === true ? modals.map(({ id }) => id) : [top.id]
    setClosing((all) => [...all, ...ids])
    perform({ type: 'close_modal', id: top.id }, ({ ok }) => {
      if (!ok) setClosing((all) => all.filter((id) => !ids.includes(id)))
    })
  }
  // The page removes the dialog itself. The browser only reports that a person wants to close it.
  const canceled = (event: Event): void => {
    event.preventDefault()
    if (event.target === dialog.current) close()
  }
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    close()
  }
  return [
    !isOpen && h(Notices, {}),
    html`<dialog
      ref=${dialog}
      class="modal"
      aria-labelledby="modal-title"
      onCancel=${canceled}
      onKeyDown=${pressed}
    >
      ${
        top &&
        h(Modal, {
          key: top.id,
          modal: top,
          below: modals.at(-2),
          held,
          covered: covered.current,
          close,
        })
      }
      ${isOpen && h(Notices, {})}
    </dialog>`,
  ]
}

/** @param opener the element from which the modal was opened, if it was in blocks */
function returnFocus(opener: Anchor | undefined): void {
  // What was behind the dialog can take keystrokes only once the browser has updated its styles.
  document.body.getBoundingClientRect()
  const { activeElement: active } = document
  if (active instanceof HTMLElement && active !== document.body) {
    active.blur()
    active.focus()
    return
  }
  const again = opener && atAnchor(document.body, opener)
  ;(again ?? document.querySelector<HTMLElement>('.scroll'))?.focus({ preventScroll: true })
}

interface ModalProps {
  modal: ModalInfo
  /** The modal that this one covers. */
  below: ModalInfo | undefined
  held: HeldValues
  /** The focused elements of modals that are covered by others, by id. */
  covered: Map<string, Anchor>
  close: () => void
}

function Modal({ modal, below, held, covered, close }: ModalProps): ComponentChildren {
  const { state, perform } = useWorkspace()
  const [uploads, setUploads] = useState(0)
  const [attempts, setAttempts] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const { id, view, submitting, trouble } = modal
  const blocks = objects(view.blocks)
  const submitLabel = plain(view.submit)
  const waiting = submitting || uploads > 0

  const check = `${attempts} ${JSON.stringify(modal.errors)}`
  const { errors, clearError } = useOpenErrors(modal.errors, check)
  useLayoutEffect(() => {
    const dialog = form.current?.closest('dialog')
    if (!dialog?.open) dialog?.showModal()
  }, [])
  // This must come after showModal: elements of a closed dialog can't get the focus.
  const head = blocks[0]?.['type'] === 'input' ? undefined : JSON.stringify(blocks[0])
  useFormFocus(form, { id, content: JSON.stringify(blocks), head, check, covered })

  const submit = (event: Event): void => {
    event.preventDefault()
    if (!submitLabel || waiting) return
    perform({ type: 'submit_modal', id, values: held.of(id, blocks) }, () =>
      setAttempts((count) => count + 1),
    )
  }
  return html`<form ref=${form} class="modal-form" novalidate onSubmit=${submit}>
    <header class="modal-head">
      ${
        below &&
        html`<button
          type="button"
          class="icon-button back"
          aria-label=${`Back to ${plain(below.view.title)}`}
          title=${`Back to ${plain(below.view.title)}`}
          onClick=${close}
        >
          ${icon('back')}
        </button>`
      }
      ${avatar(state, { kind: 'app' })}
      <h2 id="modal-title">${plain(view.title)}</h2>
      <button type="button" class="icon-button" aria-label="Close" onClick=${close}>
        ${icon('close')}
      </button>
    </header>
    <div class="modal-body">
      ${h(Blocks, {
        blocks,
        held,
        name: id,
        errors,
        clearError,
        container: (values) => ({ kind: 'modal', id, values }),
        uploading: (change) => setUploads((count) => count + change),
      })}
    </div>
    ${trouble && html`<p class="trouble" role="alert">${icon('warning')} ${trouble}</p>`}
    <footer class="dialog-buttons">
      <button type="button" class="button" onClick=${close}>${plain(view.close) || 'Close'}</button>
      ${
        submitLabel &&
        html`<button
          type="submit"
          class="button primary"
          aria-disabled=${waiting}
          aria-busy=${waiting}
        >
          ${submitting ? 'Submitting…' : uploads > 0 ? 'Uploading…' : submitLabel}
        </button>`
      }
    </footer>
  </form>`
}

/**
 * The errors of a form that the person has not started to correct.
 *
 * @param found the form's errors by block_id
 * @param check changes whenever the form has been checked; then all its errors are shown again
 */
function useOpenErrors(
  found: Record<string, string>,
  check: string,
): { errors: Record<string, string>; clearError: (blockId: string) => void } {
  const [cleared, setCleared] = useState({ check, blocks: [] as string[] })
  const blocks = cleared.check === check ? cleared.blocks : []
  return {
    errors: Object.fromEntries(Object.entries(found).filter(([id]) => !blocks.includes(id))),
    clearError: (blockId) => setCleared({ check, blocks: [...blocks, blockId] }),
  }
}
