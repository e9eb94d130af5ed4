import type { Action, ActionResult, FileInfo, WorkspaceState } from '../../simulator/protocol.ts'

export type Failure = Extract<ActionResult, { ok: false }>

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
