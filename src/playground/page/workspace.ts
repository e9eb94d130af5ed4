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

type Failure = Extract<ActionResult, { ok: false }>

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
  return people.find((person) => person.id === id)?.real_name ?? id
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

const RECONNECT_MS = 1500
const UNREACHABLE = 'Can’t reach the playground. Is it still running?'

/** Receives the workspace's state, as a person sees it, after each change. @returns a function that stops this */
export function follow(
  viewer: string,
  receive: (state: WorkspaceState) => void,
  onLost: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let source: EventSource
  const open = (): void => {
    source = new EventSource(`./events?${new URLSearchParams({ viewer })}`)
    source.onmessage = ({ data }: MessageEvent<string>) => {
      receive(JSON.parse(data) as WorkspaceState)
    }
    source.onerror = () => {
      onLost()
      // The browser retries a connection that breaks, but not one that was rejected.
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, RECONNECT_MS)
    }
  }
  // A hidden tab closes its connection, because all tabs together can have only six connections to a host.
  const visibilityChanged = (): void => {
    clearTimeout(timer)
    source.close()
    if (!document.hidden) open()
  }
  open()
  document.addEventListener('visibilitychange', visibilityChanged)
  return () => {
    document.removeEventListener('visibilitychange', visibilityChanged)
    clearTimeout(timer)
    source.close()
  }
}

export function act(viewer: string, action: Action): Promise<ActionResult> {
  return post(`./actions?${new URLSearchParams({ viewer })}`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(action),
  })
}

export function upload(viewer: string, file: File): Promise<FileInfo | Failure> {
  return post(`./uploads?${new URLSearchParams({ viewer, name: file.name })}`, {
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  })
}

async function post<T>(url: string, request: RequestInit): Promise<T | Failure> {
  try {
    const response = await fetch(url, { method: 'POST', ...request })
    return (await response.json()) as T | Failure
  } catch {
    return { ok: false, message: UNREACHABLE }
  }
}
