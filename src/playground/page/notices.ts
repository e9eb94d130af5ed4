import type { ComponentChildren } from 'preact'
import type { Refusal } from '../../simulator/protocol.ts'
import { html, icon } from './html.ts'
import { useWorkspace } from './workspace.ts'

/** While a modal is open, the notices are part of it, because nothing else can be reached then. */
export function Notices(): ComponentChildren {
  const { state, notice, dismissNotice, perform } = useWorkspace()
  const { refusals } = state
  return html`<div class="notices" role="status">
    ${
      notice &&
      html`<div class="row notice">
        <p class="wide">${notice}</p>
        ${dismissButton('Dismiss', dismissNotice)}
      </div>`
    }
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
