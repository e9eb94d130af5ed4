import { type Account, createParts, type Parts, type PartsOptions } from './parts.ts'
import { act } from './people/act.ts'
import type { Action, ActionResult, FileInfo, Modal, WorkspaceState } from './protocol.ts'
import { MAX_UPLOAD_BYTES } from './shared/element-state.ts'
import { type ApiAnswer, type ApiCall, callApi } from './web-api/call-api.ts'
import { changeAccount } from './web-api/lookups.ts'
import { APP, PEOPLE } from './workspace/seeds.ts'
import type { OpenView } from './workspace/views.ts'

export type SimulatedWorkspace = ReturnType<typeof createSimulatedWorkspace>

/**
 * Creates a workspace. It is idle until `serveAt` and `connectApp` are called.
 *
 * `workspace/` holds its state. `people/` performs what people do, `app/` sends the app what
 * follows from it, and `http/` and `web-api/` answer the app's calls, as strictly as
 * `block-kit/` says. The page of the playground also runs `shared/`.
 */
export function createSimulatedWorkspace(options: PartsOptions) {
  const listeners = new Set<() => void>()
  const changed = (): void => listeners.forEach((listener) => listener())
  let base: string | undefined
  const baseUrl = (): string => {
    if (base === undefined) throw new Error('the simulated workspace has no URL yet')
    return base
  }
  const parts = createParts(options, changed, baseUrl)
  const { app, files, grants, images, responseUrls } = parts

  return {
    connectApp: (eventsUrl: string): void => app.connect(eventsUrl),
    serveAt(url: string): void {
      base = url
    },
    apiUrl: () => `${baseUrl()}/api/`,
    /** The result has the message that Slack shows outside of a modal. The errors in a modal are in the state. */
    act(viewerId: string, action: Action): Promise<ActionResult> {
      assertPerson(viewerId)
      return act(parts, viewerId, action)
    },
    changeAccount(id: string, change: Account): void {
      assertPerson(id)
      changeAccount(parts, id, change)
    },
    state(viewerId: string): WorkspaceState {
      assertPerson(viewerId)
      return workspaceState(parts, viewerId)
    },
    /** @throws RangeError if the file is empty or over 10 MB */
    upload(viewerId: string, name: string, bytes: Uint8Array): FileInfo {
      assertPerson(viewerId)
      if (bytes.length === 0 || bytes.length > MAX_UPLOAD_BYTES) {
        throw new RangeError('A file must be between 1 byte and 10 MB.')
      }
      return files.info(files.upload(name, Buffer.from(bytes), viewerId))
    },
    file(id: string): { name: string; mimetype: string; bytes: Buffer } | undefined {
      const file = files.get(id)
      if (!file?.complete || !file.bytes) return undefined
      return { name: file.name, mimetype: file.mimetype, bytes: file.bytes }
    },
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    fromApp: {
      async callApi(call: ApiCall): Promise<ApiAnswer> {
        await images.loadIn(call.args)
        return callApi(parts, call)
      },
      async answerResponseUrl(id: string, body: unknown) {
        await images.loadIn(body)
        return responseUrls.answer(id, body)
      },
      receiveUpload(fileId: string, bytes: Buffer): boolean {
        const file = files.get(fileId)
        if (!file || file.bytes || file.size !== bytes.length) return false
        file.bytes = bytes
        return true
      },
      mayReadFiles(token: string | undefined): boolean {
        const grant = token === undefined ? undefined : grants.check(token)
        return typeof grant === 'object' && grant.scopes.has('files:read')
      },
    },
    parts,
  }
}

function assertPerson(viewerId: string): void {
  if (PEOPLE.every(({ id }) => id !== viewerId)) throw new RangeError('There is no such person.')
}

function workspaceState(parts: Parts, viewerId: string): WorkspaceState {
  const { manifest } = parts
  const conversations = parts.conversations.listFor(viewerId)
  const home = parts.views.home(viewerId)
  return {
    app: { name: manifest.display_information.name, botUserId: APP.userId, manifest },
    people: [...PEOPLE],
    viewer: viewerId,
    conversations: conversations.map((one) => ({ ...one })),
    messages: Object.fromEntries(
      conversations.map(({ id }) => [id, parts.messages.visible(id, viewerId)]),
    ),
    ...(home && { home: home.view }),
    modals: parts.views.modals(viewerId).map(modal),
    files: parts.files.infos(),
    stepRuns: parts.stepRuns.listFor(viewerId),
    refusals: parts.refusals.list(),
  }
}

function modal({ id, view, errors, submitting, trouble }: OpenView): Modal {
  return { id, view, errors, submitting, ...(trouble !== undefined && { trouble }) }
}
