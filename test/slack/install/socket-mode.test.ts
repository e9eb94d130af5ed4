import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { startApp, type TestApp } from '../../support/app.ts'
import { createBrowser, OAUTH } from '../../support/installing.ts'

/** Slack's side: gives the app an address for the socket, and exchanges a code for a token. */
let slack: Server
let sockets: WebSocketServer
let connected: Promise<WebSocket>
let onAnswer: (body: string) => void
let app: TestApp

const ANSWERS: Record<string, object> = {
  '/api/oauth.v2.access': {
    app_id: 'A1',
    authed_user: { id: 'U1' },
    scope: 'commands,chat:write',
    token_type: 'bot',
    access_token: 'xoxb-granted',
    bot_user_id: 'U2',
    team: { id: 'T1', name: 'Acme' },
    enterprise: null,
    is_enterprise_install: false,
  },
  '/api/auth.test': { bot_id: 'B1', user_id: 'U2', team_id: 'T1' },
}
const origin = (): string => `http://127.0.0.1:${(slack.address() as AddressInfo).port}`

beforeAll(async () => {
  slack = createServer((request, response) => {
    void text(request).then((body) => {
      response.setHeader('content-type', 'application/json')
      if (request.url === '/hook') onAnswer(body)
      const url = `ws${origin().slice('http'.length)}/socket`
      response.end(JSON.stringify({ ok: true, url, ...ANSWERS[request.url ?? ''] }))
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
  const apiUrl = `${origin()}/api/`
  app = await startApp({
    config: { slack: { mode: 'socket', appToken: 'xapp-1', oauth: OAUTH, apiUrl } },
  })
})

afterAll(async () => {
  await app.stop()
  sockets.close()
  slack.closeAllConnections()
  await new Promise((resolve) => slack.close(resolve))
})

/** Sends `/shorten help` over the socket. @returns the answer at its response_url */
async function help(teamId: string): Promise<string> {
  const socket = await connected
  const answer = new Promise<string>((resolve) => (onAnswer = resolve))
  socket.send(
    JSON.stringify({
      type: 'slash_commands',
      envelope_id: `envelope-${teamId}`,
      accepts_response_payload: true,
      payload: {
        command: '/shorten',
        text: 'help',
        team_id: teamId,
        user_id: 'U1',
        channel_id: 'C1',
        trigger_id: randomUUID(),
        response_url: `${origin()}/hook`,
        is_enterprise_install: 'false',
      },
    }),
  )
  return answer
}

test('installs the app over HTTP in Socket Mode too, and then answers that workspace', async () => {
  expect(await help('T1')).toContain('isn’t installed')

  const browser = createBrowser(app.running.appUrl)
  const state = new URL(await browser.beginsInstalling()).searchParams.get('state') ?? ''
  const page = await browser.opens(`/slack/oauth_redirect?code=1&state=${state}`)
  expect(page.html).toContain('Backhalf is in Acme.')

  expect(await help('T1')).toContain('How to use /shorten')
  expect(await help('T2')).toContain('isn’t installed')
})
