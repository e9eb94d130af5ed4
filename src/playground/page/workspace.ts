import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type {
  Action,
  ActionResult,
  FileInfo,
  Message,
  WorkspaceState,
} from '../../simulator/protocol.ts'
import { html } from './html.ts'
import type { Failure } from './server.ts'

export interface Workspace {
  state: WorkspaceState
  act: (action: Action) => Promise<ActionResult>
  /** Performs an action, and shows a notice if it fails. `after` is called in either case. */
  perform: (action: Action, after?: () => void) => void
  upload: (file: File) => Promise<FileInfo | Failure>
  notice: string | undefined
  dismissNotice: () => void
  switchTo: (viewer: string) => void
  openNavigation: () => void
}

export const WorkspaceContext = createContext<Workspace | undefined>(undefined)

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext)
  if (!workspace) throw new Error('This component needs a workspace.')
  return workspace
}

export function personName({ app, people }: WorkspaceState, id: string): string {
  if (id === app.botUserId) return app.name
  return people.find((person) => person.id === id)?.realName ?? id
}

export function authorName(state: WorkspaceState, author: Message['author']): string {
  return author.kind === 'app' ? state.app.name : personName(state, author.id)
}

export function avatar(state: WorkspaceState, author: Message['author']) {
  if (author.kind === 'app') {
    return html`<img class="avatar" src="./modules/playground/page/icon.svg" alt="" />`
  }
  const name = authorName(state, author)
  const index = state.people.findIndex(({ id }) => id === author.id)
  return html`<span class="avatar" data-person=${index} aria-hidden="true">${initials(name)}</span>`
}

function initials(name: string): string {
  const [first = '', ...others] = name.split(/\s+/)
  return `${first.slice(0, 1)}${(others.at(-1) ?? '').slice(0, 1)}`.toUpperCase()
}
