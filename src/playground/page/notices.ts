import type { ComponentChildren } from 'preact'
import type { Refusal } from '../../simulator/protocol.ts'
import { html } from './html.ts'
import { icon } from './icons.ts'
import { useWorkspace } from './workspace.ts'

/**
 * What went wrong, above everything else: notices for the person, and for whoever builds the app
 * what Slack would have refused. While a modal is open it stands inside of that, or nobody could
 * reach it.
 */
export function Notices(): ComponentChildren {
  const { state, notices, dismissNotice, perform } = useWorkspace()
  const { refusals } = state
  return html`<div class="notices" role="status">
    ${notices.map(
      ({ id, message }) =>
        html`<div class="notice" key=${id}>
          <p>${message}</p>
          ${dismissButton('Dismiss', () => dismissNotice(id))}
        </div>`,
    )}
    ${
      refusals.length > 0 &&
      html`<section class="notice refusals" aria-label="Refusals">
        <div>
          <h2>${icon('warning')} Slack would refuse this</h2>
          ${refusals.map(refusal)}
        </div>
        ${dismissButton('Dismiss refusals', () => perform({ type: 'dismiss_refusals' }))}
      </section>`
    }
  </div>`
}

function refusal({ id, where, error, details }: Refusal): ComponentChildren {
  return html`<div class="refusal" key=${id}>
    <p><code>${where}</code> → <code class="refusal-error">${error}</code></p>
    ${
      details.length > 0 &&
      html`<ul>
        ${details.map((detail) => html`<li>${detail}</li>`)}
      </ul>`
    }
  </div>`
}

function dismissButton(label: string, dismiss: () => void): ComponentChildren {
  return html`<button type="button" class="icon-button" aria-label=${label} onClick=${dismiss}>
    ${icon('close')}
  </button>`
}
