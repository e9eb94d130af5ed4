import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { WebSocketServer, type WebSocket } from 'ws'
import { listenOnLoopback } from './free-port.ts'

/** Slack's side of Socket Mode: gives the app the socket's address, and sends `hello` when the app connects. */
export type SlackSocket = Awaited<ReturnType<typeof startSlackSocket>>

export type SlackFailure =
  { error: string } | { status: number; headers?: Record<string, string>; times?: number }

/** @param port by default, a free one */
export async function startSlackSocket(port = 0) {
  const failures = new Map<string, SlackFailure>()
  const waiting: ((socket: WebSocket) => void)[] = []
  const sockets: WebSocket[] = []
  const calls = new EventEmitter()
  let asked = 0

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const method = request.url?.replace(/^\/(?:api\/)?/, '') ?? ''
      if (method === 'apps.connections.open') asked++
      calls.emit(method, body)
      response.setHeader('x-oauth-scopes', slack.scopes)
      const failure = failures.get(method)
      response.setHeader('content-type', 'application/json')
      if (failure && 'status' in failure) {
        if (failure.times !== undefined && --failure.times === 0) failures.delete(method)
        response.writeHead(failure.status, failure.headers).end()
        return
      }
      const url = `ws${origin.slice('http'.length)}/socket`
      // Only an app-level token can open a socket.
      const isRefused =
        method === 'apps.connections.open' &&
        !request.headers.authorization?.startsWith('Bearer xapp-')
      const answer =
        failure || isRefused
          ? { ok: false, error: 'not_allowed_token_type', ...failure }
          : { ok: true, url, ...slack.answers[method] }
      response.end(JSON.stringify(answer))
    })
  })
  const origin = await listenOnLoopback(server, port)
  const webSockets = new WebSocketServer({ server })

  const slack = {
    /** The app's SLACK_API_URL. */
    apiUrl: `${origin}/api/`,
    /** For the app's answers. */
    responseUrl: `${origin}/response_url`,
    /** What a method answers besides `ok`. */
    answers: {} as Record<string, object>,
    /** The open sockets, the newest last. */
    sockets,
    /** Waits for the next socket that is greeted. */
    nextSocket: () => new Promise<WebSocket>((resolve) => waiting.push(resolve)),
    /** How often the app has asked for an address. */
    asked: () => asked,
    /** What a method answers from now on: an error code, or a status with headers. Undefined: as usual. */
    fail(method: string, failure: SlackFailure | undefined): void {
      if (failure) failures.set(method, failure)
      else failures.delete(method)
    },
    /** Waits for the next call of a method, or of `response_url`. @returns its body */
    async nextCall(method: string): Promise<string> {
      const [body] = (await once(calls, method)) as [string]
      return body
    },
    /** The scopes that every answer names. */
    scopes: 'commands,chat:write',
    /** Whether new sockets are greeted. */
    greets: true,
    async close(): Promise<void> {
      for (const socket of webSockets.clients) socket.terminate()
      webSockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  webSockets.on('connection', (socket) => {
    sockets.push(socket)
    socket.on('close', () => sockets.splice(sockets.indexOf(socket), 1))
    if (!slack.greets) return
    socket.send(JSON.stringify({ type: 'hello', num_connections: 1 }))
    waiting.shift()?.(socket)
  })
  return slack
}
