import { createServer, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'

/** Answers in place of Backhalf during the setup. */
export interface StandIn {
  close(): Promise<void>
}

/** The longest body that is read, in bytes. Slack's challenge has about 150. */
const MAX_BODY = 10_000

/**
 * Listens at the port at which Backhalf will listen, so that a public address can be checked before
 * Backhalf runs. It also answers the challenge with which Slack verifies the address when the app is
 * created. The challenge is not a secret.
 *
 * @returns undefined if the port is in use, probably by Backhalf itself
 */
export async function openStandIn(host: string, port: number): Promise<StandIn | undefined> {
  const server = createServer((request, response) => {
    void answer(request).then(({ status, type, body }) => {
      response.writeHead(status, { 'content-type': type, connection: 'close' }).end(body)
    })
  })
  if (!(await listens(server, host, port))) return undefined
  return {
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Answer {
  status: number
  type: string
  body: string
}

async function answer(request: IncomingMessage): Promise<Answer> {
  const path = request.url?.split('?')[0] ?? ''
  if (path.endsWith('/healthz')) {
    return { status: 200, type: 'application/json', body: '{"status":"ok"}' }
  }
  const challenge = request.method === 'POST' ? await readChallenge(request) : undefined
  if (challenge !== undefined) return { status: 200, type: 'text/plain', body: challenge }
  return { status: 503, type: 'text/plain', body: 'Backhalf is being set up.\n' }
}

async function readChallenge(request: IncomingMessage): Promise<string | undefined> {
  if (!(Number(request.headers['content-length']) <= MAX_BODY)) return undefined
  try {
    const body = JSON.parse(await text(request)) as { type?: unknown; challenge?: unknown } | null
    const { type, challenge } = body ?? {}
    const isChallenge = type === 'url_verification' && typeof challenge === 'string'
    return isChallenge && /^[\w-]{1,200}$/.test(challenge) ? challenge : undefined
  } catch {
    return undefined
  }
}

async function listens(server: Server, host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, host, () => resolve(true))
  })
}
