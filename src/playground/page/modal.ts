import { h, type ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Modal as ModalInfo } from '../../simulator/protocol.ts'
import { objects } from '../shared/json.ts'
import type { Anchor } from './anchor.ts'
import { avatar } from './author.ts'
import { Blocks } from './blocks/blocks.ts'
import type { HeldValues } from './blocks/held-values.ts'
import { plain } from './blocks/text.ts'
import { html } from './html.ts'
import { icon } from './icons.ts'
import { useFormFocus } from './use-form-focus.ts'
import { useOpenFaults } from './use-open-faults.ts'
import { useWorkspace } from './workspace.ts'

interface ModalProps {
  modal: ModalInfo
  /** The one that it was laid on. */
  below: ModalInfo | undefined
  held: HeldValues
  /** Where the focus was in modals that others were laid on, by id. */
  left: Map<string, Anchor>
  close: () => void
}

/** A form, or something that an app tells in a window of its own. */
export function Modal({ modal, below, held, left, close }: ModalProps): ComponentChildren {
  const { state, perform } = useWorkspace()
  const [uploads, setUploads] = useState(0)
  const [attempts, setAttempts] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const { id, view, errors, submitting, trouble } = modal
  const blocks = objects(view.blocks)
  const submitLabel = plain(view.submit)
  const waiting = submitting || uploads > 0

  const round = `${attempts} ${JSON.stringify(errors)}`
  const { faults, settle } = useOpenFaults(errors, round)
  useLayoutEffect(() => {
    const dialog = form.current?.closest('dialog')
    if (!dialog?.open) dialog?.showModal()
  }, [])
  // After that: nothing takes the focus in a dialog that isn't open.
  const head = blocks[0]?.['type'] === 'input' ? undefined : JSON.stringify(blocks[0])
  useFormFocus(form, { id, shown: JSON.stringify(blocks), head, faults: round, left })

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
        errors: faults,
        settle,
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
          ${submitting ? 'One moment…' : uploads > 0 ? 'Uploading…' : submitLabel}
        </button>`
      }
    </footer>
  </form>`
}
