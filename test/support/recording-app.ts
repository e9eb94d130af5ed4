import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

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
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests.push({ headers: request.headers, body: bodyOf(Buffer.concat(chunks).toString()) })
      const answer = answers.shift() ?? {}
      if (answer === 'silent') {
        silence.abort()
        silence = new AbortController()
        return
      }
      const { status = 200, json, text = '' } = answer
      const type = json === undefined ? 'text/plain' : 'application/json'
      response.writeHead(status, { 'content-type': type })
      response.end(json === undefined ? text : JSON.stringify(json))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    eventsUrl: `http://127.0.0.1:${port}/slack/events`,
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
