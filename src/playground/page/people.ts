import type { ComponentChildren } from 'preact'
import { avatar } from './author.ts'
import { html } from './html.ts'
import { useWorkspace } from './workspace.ts'

/** Whose eyes one looks through. */
export function People({ switchTo }: { switchTo: (viewer: string) => void }): ComponentChildren {
  const { state } = useWorkspace()
  return html`<fieldset class="people">
    <legend>You are</legend>
    ${state.people.map(
      ({ id, realName, admin, guest }) =>
        html`<label class="person">
          <input
            type="radio"
            name="viewer"
            value=${id}
            checked=${id === state.viewer}
            onChange=${() => switchTo(id)}
          />
          ${avatar(state, { kind: 'person', id })}
          <span class="person-name">${realName}</span>
          ${admin && html`<span class="badge">admin</span>`}
          ${guest && html`<span class="badge">guest</span>`}
        </label>`,
    )}
  </fieldset>`
}
