import { h, type ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Anchor } from './anchor.ts'
import type { HeldValues } from './blocks/held-values.ts'
import { html } from './html.ts'
import { Modal } from './modal.ts'
import { Notices } from './notices.ts'
import { useWorkspace } from './workspace.ts'

/**
 * The top one of the open modals. One dialog holds them all, one after the other, so that the
 * browser traps the focus in it and gives it back to where it was when the last one closes. The
 * first of them opens it.
 */
export function ModalStack({ held }: { held: HeldValues }): ComponentChildren {
  const { state, perform } = useWorkspace()
  const dialog = useRef<HTMLDialogElement>(null)
  const top = state.modals.at(-1)
  const below = state.modals.at(-2)
  const left = useRef(new Map<string, Anchor>())
  const open = top !== undefined

  useLayoutEffect(() => {
    if (open || !dialog.current?.open) return undefined
    dialog.current.close()
    const frame = requestAnimationFrame(focusAnew)
    return () => cancelAnimationFrame(frame)
  }, [open])

  const close = (): void => {
    if (top) perform({ type: 'close_modal', id: top.id })
  }
  // The app decides what is open: the browser only passes on that somebody wants it closed.
  const cancelled = (event: Event): void => {
    event.preventDefault()
    if (event.target === dialog.current) close()
  }
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    close()
  }
  return html`<dialog
    ref=${dialog}
    class="modal"
    aria-labelledby="modal-title"
    onCancel=${cancelled}
    onKeyDown=${pressed}
  >
    ${top && h(Modal, { key: top.id, modal: top, below, held, left: left.current, close })}
    ${open && h(Notices, {})}
  </dialog>`
}

/**
 * Gives the focus once more to what has it. An input that gets it back while it is still inert
 * behind the dialog has the focus, and takes no text.
 */
function focusAnew(): void {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLElement)) return
  activeElement.blur()
  activeElement.focus()
}
