import { assembleParts } from '../playground/assemble-parts.ts'
import { createFaults, type Fault, type Faults } from '../playground/faults.ts'
import { act } from './people/act.ts'
import type { Action, ActionResult, FileInfo, SlackJson, WorkspaceState } from './protocol.ts'
import type { ResponseAnswer } from './app/response-urls.ts'
import { APP, PEOPLE } from './workspace/seeds.ts'
import { MAX_UPLOAD_BYTES } from '../playground/shared/upload-limit.ts'
import type { Consent } from './oauth/slack-oauth.ts'
import { workspaceState } from './state.ts'
import { callApi, type ApiAnswer, type ApiCall } from './web-api/call-api.ts'
import type { SimulatedWorkspaceOptions } from '../playground/workspace-options.ts'

/** A Slack workspace with one app, two people and no Slack. */
export interface SimulatedWorkspace {
  /** Where the app takes requests, for example `http://127.0.0.1:3000/slack/events`. */
  connectApp(eventsUrl: string): void
  /** Where the simulation is served, without a slash at the end; addresses for the app begin so. */
  serveAt(baseUrl: string): void
  /** The app's SLACK_API_URL. */
  apiUrl(): string
  /**
   * Does what a person does. `ok: false` says what Slack would show them outside of a modal; what
   * a modal shows of its own (faults, trouble) is in the state.
   */
  act(viewerId: string, action: Action): Promise<ActionResult>
  state(viewerId: string): WorkspaceState
  /** A person's file, for a `file_input`. @throws RangeError past 10 MB, or with no bytes */
  upload(viewerId: string, name: string, bytes: Uint8Array): FileInfo
  /** A file's name, type and bytes. */
  file(id: string): { name: string; mimetype: string; bytes: Buffer } | undefined
  /** Calls back after every change, until the returned function is called. */
  onChange(listener: () => void): () => void
  /**
   * Lets the next calls of a Web API method, or answers through a `response_url`, go wrong.
   *
   * @param where a method's name, or `response_url`
   */
  failNext(where: string, fault: Fault, times?: number): void
  /** Answers Slack's consent page. @returns where Slack sends the browser back to */
  consent(authorizeUrl: string, consent: Consent): string
  /**
   * Takes the app out of the workspace: its tokens end at once.
   *
   * @returns tells the app so, in an event as of that moment
   */
  uninstall(): { tell(event: 'app_uninstalled' | 'tokens_revoked'): void }
  /** Tells the app of something that nobody does here, if it has subscribed to it. */
  tell(event: SlackJson & { type: string }): void
  /** Tells the app of a step's run once more, as Slack does where an acknowledgement got lost. */
  tellOfStepAgain(runId: string): void
  /** Gives up undelivered events. */
  close(): void
  /** For the HTTP routes: what comes from the app. */
  readonly fromApp: FromApp
}

/** What the app may ask of the simulation, apart from HTTP. */
export interface FromApp {
  callApi(call: ApiCall): ApiAnswer
  answerResponseUrl(id: string, body: unknown): ResponseAnswer
  /** Takes the bytes of an announced upload; false where none is expected, or of another size. */
  receiveUpload(fileId: string, bytes: Buffer): boolean
  /** A private file, for a bearer of the bot token with `files:read`. */
  privateFile(
    fileId: string,
    token: string | undefined,
  ): { mimetype: string; bytes: Buffer } | undefined
  takeFault: Faults['take']
}

/** Sets up a workspace. Nothing is served or sent until `serveAt` and `connectApp`. */
export function createSimulatedWorkspace(options: SimulatedWorkspaceOptions): SimulatedWorkspace {
  const listeners = new Set<() => void>()
  const changed = (): void => listeners.forEach((listener) => listener())
  let base: string | undefined
  const baseUrl = (): string => {
    if (base === undefined) throw new Error('the simulated workspace is not served anywhere yet')
    return base
  }
  const parts = assembleParts(options, changed, baseUrl)
  const faults = createFaults()
  options.oauth?.join(parts.team, (call) => callApi(parts, call))
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
        throw new RangeError('A file may have 1 byte to 10 MB.')
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
    failNext: (where, fault, times = 1) => faults.add(where, fault, times),
    consent(authorizeUrl, answer) {
      if (!options.oauth) throw new Error('the app is not installed by OAuth here')
      return options.oauth.consent(authorizeUrl, parts.team, parts.manifest, answer)
    },
    uninstall() {
      parts.grants.revoke(parts.team)
      const at = Math.floor(parts.clock.now() / 1000)
      return {
        tell: (type) =>
          parts.events.send(
            type === 'tokens_revoked'
              ? { type, tokens: { oauth: [], bot: [APP.userId] } }
              : { type },
            at,
          ),
      }
    },
    tell: (event) => parts.events.send(event),
    tellOfStepAgain(runId) {
      const run = parts.stepRuns.find(runId)
      if (!run) throw new RangeError('There is no such run.')
      parts.events.send(run.event)
    },
    close: () => parts.events.stop(),
    fromApp: {
      callApi: (call) => options.oauth?.route(call) ?? callApi(parts, call),
      answerResponseUrl: (id, body) => parts.responseUrls.answer(id, body),
      receiveUpload(fileId, bytes) {
        const file = files.get(fileId)
        if (!file || file.bytes || file.size !== bytes.length) return false
        file.bytes = bytes
        return true
      },
      privateFile(fileId, token) {
        const file = files.get(fileId)
        const grant = token === undefined ? undefined : parts.grants.look(token)
        const allowed = typeof grant === 'object' && grant.scopes.has('files:read')
        return allowed && file?.complete && file.bytes
          ? { mimetype: file.mimetype, bytes: file.bytes }
          : undefined
      },
      takeFault: faults.take,
    },
  }
}

function assertPerson(viewerId: string): void {
  if (PEOPLE.every(({ id }) => id !== viewerId)) throw new RangeError('There is no such person.')
}
