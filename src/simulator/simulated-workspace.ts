import type { ResponseAnswer } from './app/response-urls.ts'
import {
  createInjectedFailures,
  type Failure,
  type InjectedFailures,
} from './http/injected-failures.ts'
import type { Consent, SlackOAuth } from './oauth/slack-oauth.ts'
import { createParts, type PartsOptions } from './parts.ts'
import { act } from './people/act.ts'
import type { Action, ActionResult, FileInfo, SlackJson, WorkspaceState } from './protocol.ts'
import { MAX_UPLOAD_BYTES } from './shared/element-state.ts'
import { workspaceState } from './state.ts'
import { callApi, type ApiAnswer, type ApiCall } from './web-api/call-api.ts'
import { APP, PEOPLE } from './workspace/seeds.ts'

export interface SimulatedWorkspaceOptions extends PartsOptions {
  /** Slack's side of OAuth, shared with the other workspaces in which the app is installed. */
  oauth?: SlackOAuth
}

/**
 * A Slack workspace with one app and three people, without Slack: the simulator's entry point.
 * `workspace/` holds its state. `people/` performs what people do, `app/` sends the app what
 * follows from it, and `http/`, `web-api/` and `oauth/` answer the app's calls, as strictly as
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
  /**
   * Makes the next calls of a Web API method, or the next answers to a response_url, fail.
   *
   * @param where a method's name, `response_url`, `upload` or `download`
   */
  failNext(where: string, failure: Failure, times?: number): void
  /** Deactivates a person's account, as an admin does when they leave. */
  deactivate(personId: string): void
  /** Makes no more calls fail. */
  stopFailing(): void
  /** How many of the app's calls wait for an answer that never comes. */
  hangingCalls(): number
  /** Answers Slack's consent page. @returns the URL to which Slack redirects the browser */
  consent(authorizeUrl: string, consent: Consent): string
  /**
   * Uninstalls the app, whose tokens stop working at once.
   *
   * @returns sends the app the event, dated to the moment of uninstalling
   */
  uninstall(): { sendEvent(event: 'app_uninstalled' | 'tokens_revoked'): void }
  /** Sends the app an event that no action here causes, if it has subscribed to it. */
  sendEvent(event: SlackJson & { type: string }): void
  /** Sends a step's event again, as Slack does when an acknowledgement is lost. */
  resendStepEvent(runId: string): void
  /** Gives up on undelivered events. */
  close(): void
  /** The app's requests, for the HTTP routes. */
  readonly fromApp: FromApp
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
  failures: InjectedFailures
}

/** Creates a workspace. It is idle until `serveAt` and `connectApp` are called. */
export function createSimulatedWorkspace({
  oauth,
  ...options
}: SimulatedWorkspaceOptions): SimulatedWorkspace {
  const listeners = new Set<() => void>()
  const changed = (): void => listeners.forEach((listener) => listener())
  let base: string | undefined
  const baseUrl = (): string => {
    if (base === undefined) throw new Error('the simulated workspace has no URL yet')
    return base
  }
  const parts = createParts({ ...options, grants: oauth?.grants }, changed, baseUrl)
  const failures = createInjectedFailures()
  oauth?.join(parts.team, (call) => callApi(parts, call))
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
    failNext: (where, failure, times = 1) => failures.add(where, failure, times),
    deactivate: (personId) => void parts.deactivated.add(personId),
    stopFailing: () => failures.clear(),
    hangingCalls: () => failures.hanging(),
    consent(authorizeUrl, answer) {
      if (!oauth) throw new Error('this workspace does not install the app by OAuth')
      return oauth.consent(authorizeUrl, parts.team, parts.manifest, answer)
    },
    uninstall() {
      parts.grants.uninstall(parts.team)
      const at = Math.floor(parts.clock.now() / 1000)
      return {
        sendEvent: (type) =>
          parts.events.send(
            type === 'tokens_revoked'
              ? { type, tokens: { oauth: [], bot: [APP.userId] } }
              : { type },
            at,
          ),
      }
    },
    sendEvent: (event) => parts.events.send(event),
    resendStepEvent(runId) {
      const run = parts.stepRuns.find(runId)
      if (!run) throw new RangeError('There is no such run.')
      parts.events.send(run.event)
    },
    close: () => parts.events.stop(),
    fromApp: {
      callApi: (call) => oauth?.route(call) ?? callApi(parts, call),
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
      failures,
    },
  }
}

function assertPerson(viewerId: string): void {
  if (PEOPLE.every(({ id }) => id !== viewerId)) throw new RangeError('There is no such person.')
}
