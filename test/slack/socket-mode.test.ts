import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { WORKFLOW_STEP } from '../../src/slack/ids.ts'
import { startAppElsewhere, type AppElsewhere } from '../support/app-elsewhere.ts'

/** Slack's side of Socket Mode: gives the app an address for the socket, and sends requests over it. */
let slack: Server
let sockets: WebSocketServer
let connected: Promise<WebSocket>
let onAnswer: (body: string) => void
/** Whether Slack refuses the app-level token. */
let revoked = false
let app: AppElsewhere

beforeAll(async () => {
  slack = createServer((request, response) => {
    void text(request).then((body) => {
      response.setHeader('content-type', 'application/json')
      if (request.url === '/hook' || request.url?.startsWith('/api/functions.')) onAnswer(body)
      if (revoked && request.url === '/api/apps.connections.open') {
        response.end(JSON.stringify({ ok: false, error: 'invalid_auth' }))
        return
      }
      response.end(JSON.stringify({ ok: true, url: `ws${origin().slice('http'.length)}/socket` }))
    })
  })
  await new Promise<void>((resolve) => slack.listen(0, '127.0.0.1', resolve))
  sockets = new WebSocketServer({ server: slack })
  connected = new Promise((resolve) => {
    sockets.on('connection', (socket) => {
      socket.send(JSON.stringify({ type: 'hello', num_connections: 1 }))
      resolve(socket)
    })
  })
  app = await startAppElsewhere({
    config: {
      slack: { mode: 'socket', appToken: 'xapp-1', botToken: 'xoxb-1', apiUrl: `${origin()}/api/` },
    },
  })
})

afterAll(async () => {
  await app.stop()
  sockets.close()
  slack.closeAllConnections()
  await new Promise((resolve) => slack.close(resolve))
})

const origin = (): string => `http://127.0.0.1:${(slack.address() as AddressInfo).port}`

test('acknowledges a command over the socket, and answers it', async () => {
  const socket = await connected
  const answer = new Promise<string>((resolve) => (onAnswer = resolve))
  const acknowledged = new Promise((resolve) => {
    socket.on('message', (data: Buffer) => resolve(JSON.parse(data.toString())))
  })
  socket.send(
    JSON.stringify({
      type: 'slash_commands',
      envelope_id: 'envelope-1',
      accepts_response_payload: true,
      payload: {
        command: '/shorten',
        text: 'https://example.com/page qr=off',
        team_id: 'T1',
        user_id: 'U1',
        channel_id: 'C1',
        trigger_id: '1.2.3',
        response_url: `${origin()}/hook`,
        is_enterprise_install: 'false',
      },
    }),
  )
  expect(await acknowledged).toMatchObject({ envelope_id: 'envelope-1' })
  expect(await answer).toContain('https://go.example.com/x7Kp2Qa')
})

test('acknowledges a workflow step over the socket, and completes it', async () => {
  const socket = await connected
  const answer = new Promise<string>((resolve) => (onAnswer = resolve))
  const acknowledged = new Promise((resolve) => {
    socket.once('message', (data: Buffer) => resolve(JSON.parse(data.toString())))
  })
  socket.send(
    JSON.stringify({
      type: 'events_api',
      envelope_id: 'envelope-2',
      accepts_response_payload: false,
      payload: {
        type: 'event_callback',
        team_id: 'T1',
        event_id: 'Ev1',
        event: {
          type: 'function_executed',
          function: { callback_id: WORKFLOW_STEP },
          inputs: { destination_url: 'https://example.com/page' },
          function_execution_id: 'Fx1',
          workflow_execution_id: 'Wx1',
          bot_access_token: 'xwfp-1',
        },
        authorizations: [{ team_id: 'T1', enterprise_id: null, is_enterprise_install: false }],
      },
    }),
  )
  expect(await acknowledged).toMatchObject({ envelope_id: 'envelope-2' })
  const completion = new URLSearchParams(await answer)
  expect(completion.get('function_execution_id')).toBe('Fx1')
  expect(completion.get('outputs')).toBe('{"short_url":"https://go.example.com/x7Kp2Qa"}')
})

test('answers no HTTP requests of Slack', async () => {
  const response = await fetch(`${app.running.appUrl}/slack/events`, { method: 'POST' })
  expect(response.status).toBe(404)
})

test('is ready only while the socket is open', async () => {
  const status = async (url: string): Promise<number> => (await fetch(url)).status
  const socket = await connected
  expect(await status(`${app.running.appUrl}/readyz`)).toBe(200)
  revoked = true
  socket.terminate()
  await expect.poll(() => status(`${app.running.appUrl}/readyz`)).toBe(503)
  // The process and the link service go on.
  expect(await status(`${app.running.appUrl}/healthz`)).toBe(200)
  revoked = false
  await expect.poll(() => status(`${app.running.appUrl}/readyz`), { timeout: 30_000 }).toBe(200)
}, 60_000)
