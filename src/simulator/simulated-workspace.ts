import { createParts, type Parts, type PartsOptions } from './parts.ts'
import { act } from './people/act.ts'
import type { Action, ActionResult, FileInfo, WorkspaceState } from './protocol.ts'
import { type ApiResponse, type ApiCall, callApi } from './web-api/call-api.ts'
import { postToResponseUrl } from './app/app-messages.ts'
import type { StoredFile } from './workspace/files.ts'
import { APP, PEOPLE } from './workspace/seeds.ts'

export interface SimulatedWorkspace {
  /** Returns the error that Slack would show outside of a modal. Errors inside a modal become part of the state. */
  act: (viewerId: string, action: Action) => Promise<ActionResult>
  state: (viewerId: string) => WorkspaceState
  upload: (viewerId: string, name: string, bytes: Uint8Array) => FileInfo
  file: (id: string) => StoredFile | undefined
  fromApp: {
    callApi: (call: ApiCall) => Promise<ApiResponse>
    postToResponseUrl: (id: string, body: unknown) => Promise<ReturnType<typeof postToResponseUrl>>
  }
  parts: Parts
}

/**
 * Simulates a Slack workspace in which our app is installed. `parts.serveAt` sets the URL at which the app finds Slack,
 * and `parts.app.connect` the URL at which Slack finds the app.
 *
 * `workspace/` holds the state. `people/` performs the actions of people, and `app/` sends them to the app. `http/` and
 * `web-api/` respond to the app's calls, and `block-kit/` checks messages and views. `shared/` also runs in the
 * playground's page.
 */
export function createSimulatedWorkspace(options: PartsOptions): SimulatedWorkspace {
  const parts = createParts(options)
  const { files, images, changed } = parts
  const receive = async <T>(sent: unknown, respond: () => T): Promise<T> => {
    await images.loadIn(sent)
    const response = respond()
    changed()
    return response
  }

  return {
    act: (viewerId, action) => act(parts, viewerId, action).finally(changed),
    state: (viewerId) => workspaceState(parts, viewerId),
    upload(viewerId, name, bytes) {
      const info = files.info(files.upload(name, Buffer.from(bytes), viewerId))
      changed()
      return info
    },
    file(id) {
      const file = files.get(id)
      return file?.complete ? file : undefined
    },
    fromApp: {
      callApi: (call) => receive(call.args, () => callApi(parts, call)),
      postToResponseUrl: (id, body) => receive(body, () => postToResponseUrl(parts, id, body)),
    },
    parts,
  }
}

function workspaceState(parts: Parts, viewerId: string): WorkspaceState {
  const { manifest } = parts
  const conversations = parts.conversations.listFor(viewerId)
  const home = parts.views.home(viewerId)
  return {
    app: { name: manifest.display_information.name, botUserId: APP.userId, manifest },
    people: PEOPLE,
    viewer: viewerId,
    conversations,
    messages: Object.fromEntries(
      conversations.map(({ id }) => [id, parts.messages.visible(id, viewerId)]),
    ),
    ...(home && { home: home.view }),
    modals: parts.views.modals(viewerId).map((open) => ({ ...open })),
    files: parts.files.infos(),
    stepRuns: [...parts.stepRuns.rvalues()]
      .filter((run) => run !== undefined)
      .filter((run) => run.viewerId === viewerId)
      .map(({ token: _, ...run }) => run),
    refusals: parts.refusals.list(),
  }
}
