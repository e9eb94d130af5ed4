import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { WebSocketServer, type WebSocket } from 'ws'

/** Slack's side of Socket Mode: names an address for the socket, and greets the app there. */
export interface SlackSocket {
  /** The app's SLACK_API_URL. */
  apiUrl: string
  /** The open sockets, the newest last. */
  sockets: WebSocket[]
  /** Waits for the next socket that is greeted. */
  nextSocket(): Promise<WebSocket>
  /** How often the app has asked for an address. */
  asked(): number
  /** What a method answers from now on: an error code, or a status with headers. Undefined: as usual. */
  fail(method: string, failure: SlackFailure | undefined): void
  /** Waits for the next call of a method, or of `response_url`. @returns its body */
  nextCall(method: string): Promise<string>
  /** For the app's answers. */
  responseUrl: string
  /** What a method answers besides `ok`. */
  answers: Record<string, object>
  /** The scopes that every answer names. */
  scopes: string
  /** Whether new sockets are greeted. */
  greets: boolean
  close(): Promise<void>
}

export type SlackFailure =
  { error: string } | { status: number; headers?: Record<string, string>; times?: number }

/** @param port by default, a free one */
export async function startSlackSocket(port = 0): Promise<SlackSocket> {
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
      const url = `ws${origin().slice('http'.length)}/socket`
      const answer = failure
        ? { ok: false, ...failure }
        : { ok: true, url, ...slack.answers[method] }
      response.end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const webSockets = new WebSocketServer({ server })

  const slack: SlackSocket = {
    apiUrl: `${origin()}/api/`,
    responseUrl: `${origin()}/response_url`,
    answers: {},
    sockets,
    nextSocket: () => new Promise((resolve) => waiting.push(resolve)),
    asked: () => asked,
    fail(method, failure) {
      if (failure) failures.set(method, failure)
      else failures.delete(method)
    },
    async nextCall(method) {
      const [body] = (await once(calls, method)) as [string]
      return body
    },
    scopes: 'commands,chat:write',
    greets: true,
    async close() {
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
