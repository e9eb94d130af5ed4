import type { ComponentChildren } from 'preact'
import type { Message, WorkspaceState } from '../../simulator/protocol.ts'
import { html } from './html.ts'
import { nameOf } from './workspace.ts'

/** Who wrote a message, as a name and a small picture. */
export function authorName(state: WorkspaceState, author: Message['author']): string {
  return author.kind === 'app' ? state.app.name : nameOf(state, author.id)
}

/** People are round, apps square. The picture says nothing that the name does not. */
export function avatar(state: WorkspaceState, author: Message['author']): ComponentChildren {
  const name = authorName(state, author)
  if (author.kind === 'app') {
    return html`<span
      class="avatar avatar-app"
      style=${{ '--app-color': state.app.color }}
      aria-hidden="true"
      >${name.slice(0, 1)}</span
    >`
  }
  const place = state.people.findIndex(({ id }) => id === author.id)
  return html`<span class="avatar" data-person=${place} aria-hidden="true">${initials(name)}</span>`
}

function initials(name: string): string {
  const [first = '', ...others] = name.split(/\s+/)
  return `${first.slice(0, 1)}${(others.at(-1) ?? '').slice(0, 1)}`.toUpperCase()
}
