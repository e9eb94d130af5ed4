import type { ResponseAnswer } from './app/response-urls.ts'
import { createParts, type Parts, type PartsOptions } from './parts.ts'
import { act } from './people/act.ts'
import type { Action, ActionResult, FileInfo, WorkspaceState } from './protocol.ts'
import { MAX_UPLOAD_BYTES } from './shared/element-state.ts'
import { workspaceState } from './state.ts'
import { callApi, type ApiAnswer, type ApiCall } from './web-api/call-api.ts'
import { PEOPLE } from './workspace/seeds.ts'

/**
 * A Slack workspace with one app and three people, without Slack: the simulator's entry point.
 * `workspace/` holds its state. `people/` performs what people do, `app/` sends the app what
 * follows from it, and `http/` and `web-api/` answer the app's calls, as strictly as
 * `block-kit/` says. The page of the playground also runs `shared/`.
 */
export interface SimulatedWorkspace {
  /** @param eventsUrl where the app receives requests, such as `http://127.0.0.1:3000/slack/events` */
  connectApp(eventsUrl: string): void
  /** @param baseUrl the base of all URLs that the app receives, without a trailing slash */
  serveAt(baseUrl: string): void
  /** The app's SLACK_API_URL. */
  apiUrl(): string
  /**
   * Performs a person's action. `ok: false` has the message that Slack would show outside of a
   * modal. What a modal itself shows (errors, trouble) is in the state.
   */
  act(viewerId: string, action: Action): Promise<ActionResult>
  state(viewerId: string): WorkspaceState
  /** Uploads a person's file for a `file_input`. @throws RangeError if it is empty or over 10 MB */
  upload(viewerId: string, name: string, bytes: Uint8Array): FileInfo
  file(id: string): { name: string; mimetype: string; bytes: Buffer } | undefined
  /** Calls back after every change, until the returned function is called. */
  onChange(listener: () => void): () => void
  /** Gives up on undelivered events. */
  close(): void
  /** The app's requests, for the HTTP routes. */
  readonly fromApp: FromApp
  /** What the workspace consists of, for tests. */
  readonly parts: Parts
}

/** Handles the app's requests, independently of HTTP. */
interface FromApp {
  callApi(call: ApiCall): ApiAnswer
  answerResponseUrl(id: string, body: unknown): ResponseAnswer
  /** Receives an announced upload; false if none is expected, or its size is wrong. */
  receiveUpload(fileId: string, bytes: Buffer): boolean
  /** A private file; undefined unless the token has the scope `files:read`. */
  privateFile(
    fileId: string,
    token: string | undefined,
  ): { mimetype: string; bytes: Buffer } | undefined
}

/** Creates a workspace. It is idle until `serveAt` and `connectApp` are called. */
export function createSimulatedWorkspace(options: PartsOptions): SimulatedWorkspace {
  const listeners = new Set<() => void>()
  const changed = (): void => listeners.forEach((listener) => listener())
  let base: string | undefined
  const baseUrl = (): string => {
    if (base === undefined) throw new Error('the simulated workspace has no URL yet')
    return base
  }
  const parts = createParts(options, changed, baseUrl)
  const { files } = parts

  return {
    connectApp: (eventsUrl) => parts.app.connect(eventsUrl),
    serveAt(url) {
      base = url
    },
    apiUrl: () => `${baseUrl()}/api/`,
    act(viewerId, action) {
      assertPerson(viewerId)
      return act(parts, viewerId, action)
    },
    state(viewerId) {
      assertPerson(viewerId)
      return workspaceState(parts, viewerId)
    },
    upload(viewerId, name, bytes) {
      assertPerson(viewerId)
      if (bytes.length === 0 || bytes.length > MAX_UPLOAD_BYTES) {
        throw new RangeError('A file must be between 1 byte and 10 MB.')
      }
      const { id, mimetype, size } = files.upload(name, Buffer.from(bytes), viewerId)
      return { id, name, mimetype, size, url: files.infos()[id]?.url ?? '' }
    },
    file(id) {
      const file = files.get(id)
      return file?.complete && file.bytes
        ? { name: file.name, mimetype: file.mimetype, bytes: file.bytes }
        : undefined
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => parts.events.stop(),
    fromApp: {
      callApi: (call) => callApi(parts, call),
      answerResponseUrl: (id, body) => parts.responseUrls.answer(id, body),
      receiveUpload(fileId, bytes) {
        const file = files.get(fileId)
        if (!file || file.bytes || file.size !== bytes.length) return false
        file.bytes = bytes
        return true
      },
      privateFile(fileId, token) {
        const file = files.get(fileId)
        const grant = token === undefined ? undefined : parts.grants.check(token)
        const allowed = typeof grant === 'object' && grant.scopes.has('files:read')
        return allowed && file?.complete && file.bytes
          ? { mimetype: file.mimetype, bytes: file.bytes }
          : undefined
      },
    },
    parts,
  }
}

function assertPerson(viewerId: string): void {
  if (PEOPLE.every(({ id }) => id !== viewerId)) throw new RangeError('There is no such person.')
}
