import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface LocalServer {
  url: string
  close(): Promise<void>
}

async function listen(
  host: string,
  port: number,
  listener: RequestListener,
): Promise<LocalServer | undefined> {
  const server = createServer(listener)
  server.listen(port, host)
  const listens = await once(server, 'listening').catch(() => undefined)
  if (!listens) return undefined
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The port is fixed, so that a user at a server can forward it before the setup starts. */
export const LINK_PORT = 3002

/** Serves a short URL that redirects to a long one, which would be hard to copy from a terminal. */
export async function openLocalLink(target: string): Promise<LocalServer> {
  const redirect: RequestListener = (_request, response) => {
    response.writeHead(302, { location: target, connection: 'close' }).end()
  }
  const server =
    (await listen('127.0.0.1', LINK_PORT, redirect)) ?? (await listen('127.0.0.1', 0, redirect))
  if (!server) throw new Error('no port of this machine is free')
  return server
}

/**
 * Listens at Backhalf's port, so that a public address can be checked before Backhalf runs. It also echoes the
 * challenge with which Slack verifies the address when the app is created. The challenge is not a secret.
 * @returns undefined if the port is in use, probably by Backhalf itself
 */
export function openStandIn(host: string, port: number): Promise<LocalServer | undefined> {
  return listen(host, port, (request, response) => {
    void respond(request).then(([status, type, body]) => {
      response.writeHead(status, { 'content-type': type, connection: 'close' }).end(body)
    })
  })
}

async function respond(request: IncomingMessage): Promise<[status: number, type: string, string]> {
  const path = request.url?.split('?')[0] ?? ''
  if (path.endsWith('/healthz')) return [200, 'application/json', '{"status":"ok"}']
  const challenge = request.method === 'POST' ? await readChallenge(request) : undefined
  if (challenge !== undefined) return [200, 'text/plain', challenge]
  return [503, 'text/plain', 'Backhalf is being set up.\n']
}

const MAX_BODY_BYTES = 10_000

async function readChallenge(request: IncomingMessage): Promise<string | undefined> {
  if (!(Number(request.headers['content-length']) <= MAX_BODY_BYTES)) return undefined
  try {
    const body = JSON.parse(await text(request)) as { type?: unknown; challenge?: unknown } | null
    const { type, challenge } = body ?? {}
    const isChallenge = type === 'url_verification' && typeof challenge === 'string'
    return isChallenge && /^[\w-]{1,200}$/.test(challenge) ? challenge : undefined
  } catch {
    return undefined
  }
}
