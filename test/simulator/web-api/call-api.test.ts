import { expect, test } from 'vitest'
import { PEOPLE } from '../../../src/simulator/workspace/seeds.ts'
import { slackForEach } from '../../support/slack-for-each.ts'
import { errorAnswer, expectError, webClient } from '../../support/web-client.ts'
import { BOT_TOKEN } from '../../support/workspace.ts'

const [ANA] = PEOPLE
const GENERAL = 'C0GENERAL000'

const { slack, client, restart } = slackForEach({ connects: false })

test('rejects a call without a token, with a wrong one, of an unknown method, or about an unknown user', async () => {
  await expectError(webClient(slack.apiUrl, '').auth.test(), 'not_authed')
  await expectError(webClient(slack.apiUrl, 'xoxb-other').auth.test(), 'invalid_auth')
  await expectError(client.apiCall('chat.shout'), 'unknown_method')
  await expectError(client.users.info({ user: 'U0NOBODY00' }), 'user_not_found')
})

test('auth.test identifies the app', async () => {
  expect(await client.auth.test()).toMatchObject({
    ok: true,
    team_id: 'T0PLAYGROUND',
    user_id: 'U0APPBOTUSER',
    bot_id: 'B0PLAYGROUND',
    is_enterprise_install: false,
  })
})

test('names the missing scope, and the granted ones', async () => {
  await restart({ scopes: ['commands'] })
  expect(await errorAnswer(client.users.info({ user: ANA.id }))).toMatchObject({
    ok: false,
    error: 'missing_scope',
    needed: 'users:read',
    provided: 'commands',
  })
  const details = ['needed: users:read', 'provided: commands']
  expect(slack.refusals()).toEqual([
    { id: 1, where: 'users.info', error: 'missing_scope', details },
  ])
})

test('accepts a call as JSON, and rejects invalid JSON', async () => {
  const call = async (body: string): Promise<unknown> => {
    const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        authorization: `Bearer ${BOT_TOKEN}`,
      },
      body,
    })
    return response.json()
  }
  const blocks = [{ type: 'divider' }]
  expect(await call(JSON.stringify({ channel: GENERAL, text: 'hello', blocks }))).toMatchObject({
    ok: true,
    message: { text: 'hello', blocks },
  })
  expect(await call('{')).toEqual({ ok: false, error: 'invalid_json' })
})
