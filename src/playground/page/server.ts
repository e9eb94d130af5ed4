import type { Action, ActionResult, FileInfo, WorkspaceState } from '../../simulator/protocol.ts'
import { string } from '../../simulator/shared/slack-json.ts'
import { asObject, isObject } from '../../values/unknown-values.ts'

const RECONNECT_MS = 1500
const UNREACHABLE = 'Can’t reach the playground. Is it still running?'

/** Follows the state as one person sees it, reconnecting. The server replaces an unknown person by the first. */
export function follow(
  viewer: string,
  follower: { state: (state: WorkspaceState) => void; lost: () => void },
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let source: EventSource
  const open = (): void => {
    source = new EventSource(`./events?${new URLSearchParams({ viewer })}`)
    source.onmessage = ({ data }: MessageEvent<string>) => {
      follower.state(JSON.parse(data) as WorkspaceState)
    }
    source.onerror = () => {
      follower.lost()
      // The browser retries a connection that breaks, but not one that was rejected.
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, RECONNECT_MS)
    }
  }
  /** A browser allows six connections per host for all tabs, so a hidden tab closes its own. */
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

export async function act(viewer: string, action: Action): Promise<ActionResult> {
  try {
    const response = await fetch(`./actions?${new URLSearchParams({ viewer })}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    })
    const result = asObject(await response.json())
    if (result.ok === true) return { ok: true }
    return { ok: false, message: string(result.message) || UNREACHABLE }
  } catch {
    return { ok: false, message: UNREACHABLE }
  }
}

export async function upload(viewer: string, file: File): Promise<FileInfo> {
  const response = await fetch(`./uploads?${new URLSearchParams({ viewer, name: file.name })}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  }).catch(() => {
    throw new Error(UNREACHABLE)
  })
  const result: unknown = await response.json().catch(() => undefined)
  if (response.ok && isObject(result)) return result as unknown as FileInfo
  throw new Error(string(asObject(result).message) || `${file.name} could not be uploaded.`)
}
