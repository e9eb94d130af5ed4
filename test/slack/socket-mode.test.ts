import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { WORKFLOW_STEP } from '../../src/slack/ids.ts'
import { startAppElsewhere, type AppElsewhere } from '../support/app-elsewhere.ts'
import { startSlackSocket, type SlackSocket } from '../support/slack-socket.ts'

let slack: SlackSocket
let socket: WebSocket
let app: AppElsewhere

beforeAll(async () => {
  slack = await startSlackSocket()
  const connected = slack.nextSocket()
  const { apiUrl } = slack
  app = await startAppElsewhere({
    config: { slack: { mode: 'socket', appToken: 'xapp-1', botToken: 'xoxb-1', apiUrl } },
  })
  socket = await connected
})
afterAll(async () => {
  await app.stop()
  await slack.close()
})

/** Sends an envelope over the socket. @returns the app's acknowledgement */
async function acknowledgementOf(envelope: object): Promise<unknown> {
  const acknowledged = new Promise((resolve) => {
    socket.once('message', (data: Buffer) => resolve(JSON.parse(data.toString())))
  })
  socket.send(JSON.stringify(envelope))
  return acknowledged
}

test('acknowledges a command over the socket, and answers it', async () => {
  const answer = slack.nextCall('response_url')
  const acknowledged = acknowledgementOf({
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
      response_url: slack.responseUrl,
      is_enterprise_install: 'false',
    },
  })
  expect(await acknowledged).toMatchObject({ envelope_id: 'envelope-1' })
  expect(await answer).toContain('https://go.example.com/x7Kp2Qa')
})

test('acknowledges a workflow step over the socket, and completes it', async () => {
  const answer = slack.nextCall('functions.completeSuccess')
  const acknowledged = acknowledgementOf({
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
  const status = async (url: string): Promise<number> => (await fetch(url)).status
  expect(await status(`${app.running.appUrl}/readyz`)).toBe(200)
  slack.fail('apps.connections.open', { error: 'invalid_auth' })
  socket.terminate()
  await expect.poll(() => status(`${app.running.appUrl}/readyz`)).toBe(503)
  // The process and the link service go on.
  expect(await status(`${app.running.appUrl}/healthz`)).toBe(200)
  slack.fail('apps.connections.open', undefined)
  await expect.poll(() => status(`${app.running.appUrl}/readyz`), { timeout: 30_000 }).toBe(200)
}, 60_000)
