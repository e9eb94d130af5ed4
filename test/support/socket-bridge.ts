import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { WebSocketServer, type WebSocket } from 'ws'

/** Brings requests of the simulated Slack, which speaks HTTP, to an app that uses Socket Mode. */
export async function startSocketBridge() {
  const acknowledged = new Map<string, (payload: object) => void>()
  let app: WebSocket | undefined
  const server = createServer((request, response) => {
    void envelope(request).then(({ type, payload }) => {
      const id = `envelope-${acknowledged.size}`
      acknowledged.set(id, (answer) => {
        response.setHeader('content-type', 'application/json')
        response.end(Object.keys(answer).length === 0 ? '' : JSON.stringify(answer))
      })
      app?.send(JSON.stringify({ type, envelope_id: id, accepts_response_payload: true, payload }))
    })
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    app = socket
    socket.on('message', (data: Buffer) => {
      const answer = JSON.parse(data.toString()) as { envelope_id: string; payload?: object }
      acknowledged.get(answer.envelope_id)?.(answer.payload ?? {})
    })
    socket.send(JSON.stringify({ type: 'hello', num_connections: 1 }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    /** For the simulated Slack, instead of the app's own address. */
    eventsUrl: `http://127.0.0.1:${port}/`,
    /** What `apps.connections.open` answers. */
    socketUrl: `ws://127.0.0.1:${port}/`,
    async close(): Promise<void> {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The envelope in which Slack sends the same request over a socket. */
async function envelope(request: IncomingMessage): Promise<{ type: string; payload: unknown }> {
  const body = await text(request)
  if (request.headers['content-type']?.includes('json')) {
    return { type: 'events_api', payload: JSON.parse(body) }
  }
  const fields = Object.fromEntries(new URLSearchParams(body))
  return fields['payload'] === undefined
    ? { type: 'slash_commands', payload: fields }
    : { type: 'interactive', payload: JSON.parse(fields['payload']) }
}
