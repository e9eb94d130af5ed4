import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenOnLoopback } from './free-port.ts'

/** A request that the recording app received. */
export interface Recorded {
  headers: IncomingHttpHeaders
  /** A command's fields, an interaction's payload, or an event's JSON. */
  body: Record<string, unknown>
}

/** An answer of the recording app. `silent` means none. */
export type Answer = { status?: number; json?: unknown; text?: string } | 'silent'

export type RecordingApp = Awaited<ReturnType<typeof startRecordingApp>>

/** Starts an app that records its requests and answers as a test says; by default 200 without a body. */
export async function startRecordingApp() {
  const requests: Recorded[] = []
  const answers: Answer[] = []
  let silence = new AbortController()
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ headers: request.headers, body: bodyOf(body) })
      const answer = answers.shift() ?? {}
      if (answer === 'silent') {
        silence.abort()
        silence = new AbortController()
        return
      }
      const { status = 200, json, text: plain = '' } = answer
      const type = json === undefined ? 'text/plain' : 'application/json'
      response.writeHead(status, { 'content-type': type })
      response.end(json === undefined ? plain : JSON.stringify(json))
    })
  })
  return {
    eventsUrl: `${await listenOnLoopback(server)}/slack/events`,
    requests,
    /** The newest request's body. */
    last: (): Recorded['body'] => requests.at(-1)?.body ?? {},
    answerNext: (...next: Answer[]) => void answers.push(...next),
    /**
     * A timeout for the workspace, which does not depend on the clock: a request times out as soon as the app has received
     * it and stays silent.
     */
    ackTimeout: () => AbortSignal.any([silence.signal]),
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function bodyOf(text: string): Record<string, unknown> {
  if (text.startsWith('{')) return JSON.parse(text) as Record<string, unknown>
  const fields = new URLSearchParams(text)
  const payload = fields.get('payload')
  return payload === null
    ? Object.fromEntries(fields)
    : (JSON.parse(payload) as Record<string, unknown>)
}
