import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { startApp, type TestApp } from '../../support/app.ts'
import { createBrowser, OAUTH } from '../../support/installing.ts'
import { startSlackSocket, type SlackSocket } from '../../support/slack-socket.ts'

let slack: SlackSocket
let socket: WebSocket
let app: TestApp

beforeAll(async () => {
  slack = await startSlackSocket()
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
  const { apiUrl } = slack
  app = await startApp({
    config: { slack: { mode: 'socket', appToken: 'xapp-1', oauth: OAUTH, apiUrl } },
  })
  socket = await connected
})
afterAll(async () => {
  await app.stop()
  await slack.close()
})

/** Sends `/shorten help` over the socket. @returns the answer at its response_url */
async function help(teamId: string): Promise<string> {
  const answer = slack.nextCall('response_url')
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
        response_url: slack.responseUrl,
        is_enterprise_install: 'false',
      },
    }),
  )
  return answer
}

test('installs the app over HTTP in Socket Mode too, and then responds to that workspace', async () => {
  expect(await help('T1')).toContain('isn’t installed')

  const browser = createBrowser(app.running.appUrl)
  const state = new URL(await browser.beginsInstalling()).searchParams.get('state') ?? ''
  const page = await browser.opens(`/slack/oauth_redirect?code=1&state=${state}`)
  expect(page.html).toContain('Backhalf is in Acme.')

  expect(await help('T1')).toContain('How to use /shorten')
  expect(await help('T2')).toContain('isn’t installed')
})
