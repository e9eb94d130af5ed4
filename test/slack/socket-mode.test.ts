import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { WebSocket } from 'ws'
import { WORKFLOW_STEP } from '../../src/slack/ids.ts'
import { startApp } from '../support/app.ts'
import { startAppElsewhere, type AppElsewhere } from '../support/app-elsewhere.ts'
import { createBrowser, OAUTH } from '../support/installing.ts'
import { startSlackSocket, type SlackSocket } from '../support/slack-socket.ts'

const APP_TOKEN = { mode: 'socket', appToken: 'xapp-1' } as const

let slack: SlackSocket
let socket: WebSocket
let app: AppElsewhere

beforeAll(async () => {
  slack = await startSlackSocket()
  const connected = slack.nextSocket()
  const { apiUrl } = slack
  app = await startAppElsewhere({ config: { slack: { ...APP_TOKEN, botToken: 'xoxb-1', apiUrl } } })
  socket = await connected
})
afterAll(async () => {
  await app.stop()
  await slack.close()
})

/** Sends a payload over a socket. @returns the app's acknowledgement */
async function send(to: WebSocket, envelope_id: string, type: string, payload: object) {
  const acknowledged = new Promise((resolve) => {
    to.once('message', (data: Buffer) => resolve(JSON.parse(data.toString())))
  })
  const accepts_response_payload = type === 'slash_commands'
  to.send(JSON.stringify({ type, envelope_id, accepts_response_payload, payload }))
  return acknowledged
}

const commandOf = (text: string, team_id: string, response_url: string) => ({
  command: '/shorten',
  text,
  team_id,
  user_id: 'U1',
  channel_id: 'C1',
  response_url,
  trigger_id: randomUUID(),
  is_enterprise_install: 'false',
})

test('acknowledges a command over the socket, and answers it', async () => {
  const answer = slack.nextCall('response_url')
  const command = commandOf('https://example.com/page qr=off', 'T1', slack.responseUrl)
  const acknowledged = send(socket, 'envelope-1', 'slash_commands', command)
  expect(await acknowledged).toMatchObject({ envelope_id: 'envelope-1' })
  expect(await answer).toContain('https://go.example.com/x7Kp2Qa')
})

test('acknowledges a workflow step over the socket, and completes it', async () => {
  const answer = slack.nextCall('functions.completeSuccess')
  const acknowledged = send(socket, 'envelope-2', 'events_api', {
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
  })
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
  const status = async (path: string) => (await fetch(app.running.appUrl + path)).status
  expect(await status('/readyz')).toBe(200)
  slack.fail('apps.connections.open', { error: 'invalid_auth' })
  socket.terminate()
  await expect.poll(() => status('/readyz')).toBe(503)
  // The process and the link service go on.
  expect(await status('/healthz')).toBe(200)
  slack.fail('apps.connections.open', undefined)
  await expect.poll(() => status('/readyz'), { timeout: 60_000 }).toBe(200)
})

test('installs the app over HTTP in Socket Mode too, and then responds to that workspace', async () => {
  const slack = await startSlackSocket()
  onTestFinished(() => slack.close())
  slack.answers = {
    'oauth.v2.access': {
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
    'auth.test': { bot_id: 'B1', user_id: 'U2', team_id: 'T1' },
  }
  const connected = slack.nextSocket()
  const config = { slack: { ...APP_TOKEN, oauth: OAUTH, apiUrl: slack.apiUrl } }
  const installable = await startApp({ config })
  onTestFinished(() => installable.stop())
  const socket = await connected
  const help = async (team: string): Promise<string> => {
    const answer = slack.nextCall('response_url')
    const command = commandOf('help', team, slack.responseUrl)
    await send(socket, randomUUID(), 'slash_commands', command)
    return answer
  }
  expect(await help('T1')).toContain('isn’t installed')

  const browser = createBrowser(installable.running.appUrl)
  const state = new URL(await browser.beginsInstalling()).searchParams.get('state') ?? ''
  const page = await browser.opens(`/slack/oauth_redirect?code=1&state=${state}`)
  expect(page.html).toContain('Backhalf is in Acme.')

  expect(await help('T1')).toContain('How to use /shorten')
  expect(await help('T2')).toContain('isn’t installed')
})
