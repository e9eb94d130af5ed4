import type { Action, ActionResult, FileInfo, WorkspaceState } from '../../simulator/protocol.ts'
import { object, string } from '../shared/json.ts'

/** Milliseconds until a connection that the browser gave up is opened anew. */
const RECONNECT_MS = 1500

const UNREACHABLE = 'The playground could not be reached. Is it still running?'

/** What becomes of a connection. */
export interface Follower {
  state(state: WorkspaceState): void
  lost(): void
}

/**
 * Sees the workspace through one person's eyes, again and again until it is told to stop.
 *
 * @param viewer the person's id; the first person's eyes where it is undefined or nobody's
 * @returns stops
 */
export function follow(viewer: string | undefined, follower: Follower): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let source: EventSource
  const open = (): void => {
    source = new EventSource(`./events${query({ viewer })}`)
    source.onmessage = ({ data }: MessageEvent<string>) => {
      follower.state(JSON.parse(data) as WorkspaceState)
    }
    source.onerror = () => {
      follower.lost()
      // A connection that breaks off is retried by the browser; one that was refused is not.
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, RECONNECT_MS)
    }
  }
  /** A browser has six connections for all tabs of a host: a hidden one gives its own back. */
  const shownOrHidden = (): void => {
    clearTimeout(timer)
    source.close()
    if (!document.hidden) open()
  }
  open()
  document.addEventListener('visibilitychange', shownOrHidden)
  return () => {
    document.removeEventListener('visibilitychange', shownOrHidden)
    clearTimeout(timer)
    source.close()
  }
}

/** Does what a person does. Never throws: what went wrong is in the result. */
export async function act(viewer: string, action: Action): Promise<ActionResult> {
  try {
    const response = await fetch(`./actions${query({ viewer })}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    })
    const answer = object(await response.json())
    if (answer.ok === true) return { ok: true }
    return { ok: false, message: string(answer.message) || UNREACHABLE }
  } catch {
    return { ok: false, message: UNREACHABLE }
  }
}

/** An upload under way. */
export interface Upload {
  /** Rejects with words for the person. */
  done: Promise<FileInfo>
  cancel(): void
}

/**
 * Sends a file's bytes.
 *
 * @param progressed is told what part has been sent, from 0 to 1
 */
export function upload(viewer: string, file: File, progressed: (part: number) => void): Upload {
  // fetch tells nothing of what it has sent.
  const request = new XMLHttpRequest()
  const done = new Promise<FileInfo>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => {
      progressed(total > 0 ? loaded / total : 0)
    }
    request.onload = () => {
      const answer = object(request.response)
      if (request.status === 200 && typeof answer.id === 'string') {
        resolve(request.response as FileInfo)
      } else {
        reject(new Error(string(answer.message) || `${file.name} could not be uploaded.`))
      }
    }
    request.onerror = () => {
      reject(new Error(UNREACHABLE))
    }
    request.onabort = () => {
      reject(new Error('The upload was cancelled.'))
    }
  })
  request.open('POST', `./uploads${query({ viewer, name: file.name })}`)
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.responseType = 'json'
  request.send(file)
  return { done, cancel: () => request.abort() }
}

function query(fields: Record<string, string | undefined>): string {
  const given = Object.entries(fields).filter((field): field is [string, string] => !!field[1])
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}
