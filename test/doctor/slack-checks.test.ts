import { afterEach, beforeAll, expect } from 'vitest'
import {
  checkBotToken,
  checkMcpAddress,
  checkSigningSecretFormat,
  neededScopes,
} from '../../src/doctor/slack-checks.ts'
import { SLACK_TIMEOUT_MS } from '../../src/slack/platform/slack-client.ts'
import { systemClock, type Clock } from '../../src/timing/clock.ts'
import { fakeServiceTest as test } from '../support/fake-link-service.ts'
import { BOT_TOKEN, startSimulatedWorkspace, type TestWorkspace } from '../support/workspace.ts'

let slack: TestWorkspace

beforeAll(async () => {
  slack = await startSimulatedWorkspace({ botToken: BOT_TOKEN })
  return () => slack.close()
})
afterEach(() => slack.stopFailing())

const check = (more: Partial<Parameters<typeof checkBotToken>[0]> = {}) =>
  checkBotToken({ token: BOT_TOKEN, apiUrl: slack.apiUrl, ...more })

test.each([
  [['im:write', 'pins:read'], ['files:read'], 'failed', 'Not granted: im:write, pins:read.'],
  [['pins:read'], ['pins:read'], 'warning', 'Not granted: pins:read. The app still works'],
])('of the missing scopes %j, %j are optional: %s', async (missing, optional, status, message) => {
  const all = ['commands', 'files:read', ...missing]
  const [, scopes] = await check({ needed: { all, optional } })
  expect(scopes).toMatchObject({ name: 'Scopes', status })
  expect(scopes?.message).toContain(message)
  expect(scopes?.fix).toContain('Reinstall')
})

test('the scopes for cards are needed only if there are domains', () => {
  expect(neededScopes(['go.example.com']).all).toContain('links:read')
  expect(neededScopes([]).all).not.toContain('links:read')
  expect(neededScopes([]).optional).toEqual(['files:read'])
})

test('says that Slack can’t be reached if it never responds', async ({ service }) => {
  const timer = new AbortController()
  service.answers(() => {
    timer.abort()
    return 'hang'
  })
  const findings = await check({ apiUrl: `${service.baseUrl}/api/`, signal: timer.signal })
  expect(findings[0]?.message).toContain('can’t be reached')
})

test.each([
  [{ status: 503 }, 'failed (status 503)'],
  [{ error: 'internal_error' }, 'failed (internal_error)'],
  [{ status: 429, retryAfterSeconds: 30 }, 'rate-limiting'],
] as const)('does not blame the token for %j', async (failure, message) => {
  slack.failNext('auth.test', failure, 3)
  // It asks again after a 5xx.
  const clock = { ...systemClock, sleep: hurried }
  const findings = await check({ clock })
  expect(findings).toMatchObject([{ status: 'unchecked' }])
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
])('notices that something else responds in place of Slack: %j', async (answer, { service }) => {
  service.answers(() => answer)
  const findings = await check({ apiUrl: `${service.baseUrl}/api/` })
  expect(findings).toMatchObject([{ status: 'unchecked' }])
  expect(findings[0]?.message).toContain('is not Slack')
})

test.each([
  ['0123456789abcdef0123456789abcdef', 'ok'],
  ['0123456789ABCDEF0123456789abcdef', 'warning'],
  ['xoxb-1234', 'warning'],
])('judges the form of the signing secret %j', (secret, status) => {
  const finding = checkSigningSecretFormat(secret)
  expect(finding.status).toBe(status)
  expect(JSON.stringify(finding)).not.toContain(secret)
})

test('Slackbot needs a public https address, and its access can’t be checked', () => {
  for (const address of [undefined, 'http://links.example.com']) {
    expect(checkMcpAddress(address)).toMatchObject({
      status: 'failed',
      fix: 'Set PUBLIC_URL to the app’s public https address.',
    })
  }
  const finding = checkMcpAddress('https://links.example.com/')
  expect(finding.status).toBe('skipped')
  expect(finding.message).toContain('https://links.example.com/slack/mcp.')
  expect(finding.message).toContain('never been tried with the real Slack')
  expect(neededScopes([], true).all).toContain('mcp:connect')
})
