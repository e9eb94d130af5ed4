import { afterEach, beforeAll, expect } from 'vitest'
import {
  checkAppToken,
  checkBotToken,
  checkClientCredentials,
  checkSigningSecretFormat,
  neededScopes,
} from '../../src/doctor/slack-checks.ts'
import { createSlackOAuth } from '../support/slack-oauth.ts'
import { SLACK_TIMEOUT_MS } from '../../src/slack/platform/slack-client.ts'
import { systemClock, type Clock } from '../../src/timing/clock.ts'
import { fakeServiceTest as test } from '../support/fake-link-service.ts'
import { freePort } from '../support/free-port.ts'
import { OAUTH } from '../support/installing.ts'
import { startSlackSocket, type SlackSocket } from '../support/slack-socket.ts'
import { BOT_TOKEN, startSimulatedWorkspace, type TestWorkspace } from '../support/workspace.ts'

const APP_TOKEN = 'xapp-1-A0123456-abcdefghijklmnop'

let slack: TestWorkspace
let sockets: SlackSocket

beforeAll(async () => {
  slack = await startSimulatedWorkspace({ oauth: createSlackOAuth(OAUTH), botToken: BOT_TOKEN })
  sockets = await startSlackSocket()
  return async () => {
    await slack.close()
    await sockets.close()
  }
})
afterEach(() => {
  slack.stopFailing()
  sockets.fail('apps.connections.open', undefined)
})

const check = (more: Partial<Parameters<typeof checkBotToken>[0]> = {}) =>
  checkBotToken({ token: BOT_TOKEN, apiUrl: slack.apiUrl, ...more })

test('a bot token with all scopes is fine, and Slack says whose it is', async () => {
  const findings = await check({
    needed: neededScopes(['go.example.com']),
  })
  expect(findings.map(({ status, name }) => [name, status])).toEqual([
    ['Bot token', 'ok'],
    ['Scopes', 'ok'],
  ])
  expect(findings[0]?.message).toContain('in the workspace Playground (T')
  expect(findings[0]?.serverTime?.date).toBeGreaterThan(0)
})

test('names the scopes that are missing, and accepts others', async () => {
  const findings = await check({
    needed: { all: ['commands', 'im:write', 'files:read', 'pins:read'], optional: ['files:read'] },
  })
  expect(findings[1]).toMatchObject({ name: 'Scopes', status: 'failed' })
  expect(findings[1]?.message).toBe('Not granted: im:write, pins:read.')
  expect(findings[1]?.fix).toContain('Reinstall')
})

test('a missing optional scope is only a warning', async () => {
  const findings = await check({
    needed: { all: ['commands', 'pins:read'], optional: ['pins:read'] },
  })
  expect(findings[1]).toMatchObject({ status: 'warning' })
  expect(findings[1]?.message).toContain('pins:read')
})

test('the scopes for cards are needed only if there are domains', () => {
  expect(neededScopes(['go.example.com']).all).toContain('links:read')
  expect(neededScopes([]).all).not.toContain('links:read')
  expect(neededScopes([]).optional).toEqual(['files:read'])
})

test('says that Slack refuses a token, without showing it', async () => {
  const token = 'xoxb-9999-8888-neverissuedtoken'
  const findings = await check({ token })
  expect(findings).toMatchObject([{ name: 'Bot token', status: 'failed' }])
  expect(findings[0]).not.toHaveProperty('isInconclusive')
  expect(findings[0]?.message).toBe('Slack refuses xoxb-…oken (invalid_auth).')
  expect(findings[0]?.fix).toContain('OAuth & Permissions')
  expect(JSON.stringify(findings)).not.toContain(token)
})

test('says that Slack can’t be reached', async () => {
  const findings = await check({
    apiUrl: `http://127.0.0.1:${await freePort()}/api/`,
  })
  expect(findings).toMatchObject([{ status: 'failed', isInconclusive: true }])
  expect(findings[0]?.message).toMatch(/Slack can’t be reached at .*\/api\/ \(ECONNREFUSED\)/)
  expect(findings[0]?.message).not.toContain('refuses')
  expect(findings[0]?.serverTime).toBeUndefined()
})

test('says that Slack can’t be reached if it never answers', async ({ service }) => {
  const timer = new AbortController()
  service.answers(() => {
    timer.abort()
    return 'hang'
  })
  const findings = await check({ apiUrl: `${service.baseUrl}/api/`, signal: timer.signal })
  expect(findings[0]?.message).toContain('can’t be reached')
})

test.each([
  [{ status: 503 }, 'problem of its own (status 503)'],
  [{ error: 'internal_error' }, 'problem of its own (internal_error)'],
  [{ status: 429, retryAfterSeconds: 30 }, 'rate-limiting'],
] as const)('does not blame the token for %j', async (failure, message) => {
  slack.failNext('auth.test', failure, 3)
  // It asks again after a 5xx.
  const clock = { ...systemClock, sleep: hurried }
  const findings = await check({ clock })
  expect(findings).toMatchObject([{ status: 'warning' }])
  expect(findings[0]?.message).toContain(message)
  if ('retryAfterSeconds' in failure) expect(findings[0]?.fix).toContain('30 seconds')
})

const hurried: Clock['sleep'] = async (ms, signal) => {
  if (ms >= SLACK_TIMEOUT_MS) await systemClock.sleep(ms, signal)
}

test.for([
  { status: 200, body: '<h1>Please log in</h1>' },
  { status: 200, body: [] },
  { status: 302, headers: { location: 'https://sso.example.com/' }, body: '' },
])('notices that something else answers in place of Slack: %j', async (answer, { service }) => {
  service.answers(() => answer)
  const findings = await check({ apiUrl: `${service.baseUrl}/api/` })
  expect(findings).toMatchObject([{ status: 'failed', isInconclusive: true }])
  expect(findings[0]?.message).toContain('is not Slack')
})

test('an app-level token is fine if Slack lets it open a socket', async () => {
  const findings = await checkAppToken({ token: APP_TOKEN, apiUrl: sockets.apiUrl })
  expect(findings).toMatchObject([{ name: 'App-level token', status: 'ok' }])
  expect(JSON.stringify(findings)).not.toContain(APP_TOKEN)
  expect(sockets.sockets).toEqual([])
})

test.each(['not_allowed_token_type', 'missing_scope'])(
  'says how to make an app-level token after %s',
  async (error) => {
    sockets.fail('apps.connections.open', { error })
    const findings = await checkAppToken({ token: APP_TOKEN, apiUrl: sockets.apiUrl })
    expect(findings).toMatchObject([{ status: 'failed' }])
    expect(findings[0]?.message).toContain(error)
    expect(findings[0]?.fix).toContain('connections:write')
  },
)

test.each([
  ['0123456789abcdef0123456789abcdef', 'ok'],
  ['0123456789ABCDEF0123456789abcdef', 'warning'],
  ['xoxb-1234', 'warning'],
])('judges the form of the signing secret %j', (secret, status) => {
  const finding = checkSigningSecretFormat(secret)
  expect(finding.status).toBe(status)
  expect(JSON.stringify(finding)).not.toContain(secret)
})

const { clientId, clientSecret } = OAUTH

test('the right client ID and secret are accepted', async () => {
  const credentials = { clientId, clientSecret, apiUrl: slack.apiUrl }
  const findings = await checkClientCredentials(credentials)
  expect(findings).toMatchObject([{ name: 'Client ID and secret', status: 'ok' }])
})

test.each([
  [{ clientId: '9.9', clientSecret }, 'invalid_client_id'],
  [{ clientId, clientSecret: 'another client secret' }, 'bad_client_secret'],
])('wrong client credentials are refused: %j', async (credentials, code) => {
  const findings = await checkClientCredentials({ ...credentials, apiUrl: slack.apiUrl })
  expect(findings).toMatchObject([{ status: 'failed' }])
  expect(findings[0]?.message).toContain(code)
  expect(JSON.stringify(findings)).not.toContain(credentials.clientSecret)
})
