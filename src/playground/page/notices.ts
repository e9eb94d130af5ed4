import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Refusal } from '../../simulator/protocol.ts'
import { html, icon } from './html.ts'
import { useWorkspace, type Notice } from './workspace.ts'

/** Notices that remain until they are dismissed. The same message is shown only once. */
export function useNotices() {
  const [notices, setNotices] = useState<Notice[]>([])
  const lastId = useRef(0)
  return {
    notices,
    notify: (message: string): void => {
      const id = ++lastId.current
      setNotices((all) => [...all.filter((one) => one.message !== message), { id, message }])
    },
    dismiss: (id: number): void => {
      setNotices((all) => all.filter((one) => one.id !== id))
    },
  }
}

/**
 * Notices for the person, and for the app's developer everything that Slack would have rejected.
 * They are part of the modal while one is open, because only that can be reached then.
 */
export function Notices(): ComponentChildren {
  const { state, notices, dismissNotice, perform } = useWorkspace()
  const { refusals } = state
  return html`<div class="notices" role="status">
    ${notices.map(
      ({ id, message }) =>
        html`<div class="row notice" key=${id}>
          <p class="wide">${message}</p>
          ${dismissButton('Dismiss', () => dismissNotice(id))}
        </div>`,
    )}
    ${
      refusals.length > 0 &&
      html`<section class="row notice" aria-label="Slack errors">
        <div class="wide">
          <h2 class="row">${icon('warning')} Slack would reject this</h2>
          ${refusals.map(refusal)}
        </div>
        ${dismissButton('Dismiss Slack errors', () => perform({ type: 'dismiss_refusals' }))}
      </section>`
    }
  </div>`
}

function refusal({ id, where, error, details }: Refusal): ComponentChildren {
  return html`<div key=${id}>
    <p><code>${where}</code> → <code>${error}</code></p>
    ${details.map((detail) => html`<p class="muted">${detail}</p>`)}
  </div>`
}

function dismissButton(label: string, dismiss: () => void): ComponentChildren {
  return html`<button type="button" class="icon-button" aria-label=${label} onClick=${dismiss}>
    ${icon('close')}
  </button>`
}
