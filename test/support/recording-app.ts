import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that reached the recording app. */
export interface Recorded {
  headers: IncomingHttpHeaders
  /** Of a command the fields, of an interaction the payload, of an event the JSON. */
  body: Record<string, unknown>
}

/** How the recording app answers. `silent` never does. */
export type Answer = { status?: number; json?: unknown; text?: string } | 'silent'

/** An app that keeps what it is sent, and answers what it is told: 200 with nothing, unless told. */
export interface RecordingApp {
  eventsUrl: string
  requests: Recorded[]
  /** The newest request's body. */
  last(): Record<string, unknown>
  answerNext(...answers: Answer[]): void
  close(): Promise<void>
}

export async function startRecordingApp(): Promise<RecordingApp> {
  const requests: Recorded[] = []
  const answers: Answer[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests.push({ headers: request.headers, body: bodyOf(Buffer.concat(chunks).toString()) })
      const answer = answers.shift() ?? {}
      if (answer === 'silent') return
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
    last: () => requests.at(-1)?.body ?? {},
    answerNext: (...next) => void answers.push(...next),
    async close() {
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
