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
import { finding } from './finding.ts'
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
] as const)(
  'of the missing scopes %j, %j are optional: %s',
  async (missing, optional, status, message) => {
    const all = ['commands', 'files:read', ...missing]
    const [, scopes] = await check({ needed: { all, optional } })
    expect(scopes?.name).toBe('Scopes')
    expect(scopes).toEqual(finding(status, message, 'Reinstall'))
  },
)

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
  expect(findings).toEqual([finding('unchecked', 'can’t be reached')])
})

test.each([
  [{ status: 503 }, 'failed (status 503)', 'few minutes'],
  [{ error: 'internal_error' }, 'failed (internal_error)', 'few minutes'],
  [{ status: 429, retryAfterSeconds: 30 }, 'rate-limiting', '30 seconds'],
] as const)('does not blame the token for %j', async (failure, message, fix) => {
  slack.failNext('auth.test', failure, 3)
  // It asks again after a 5xx.
  const clock = { ...systemClock, sleep: hurried }
  expect(await check({ clock })).toEqual([finding('unchecked', message, fix)])
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
  expect(findings).toEqual([finding('unchecked', 'is not Slack')])
})

test.each([
  ['0123456789abcdef0123456789abcdef', 'ok'],
  ['0123456789ABCDEF0123456789abcdef', 'warning'],
  ['xoxb-1234', 'warning'],
])('judges the form of the signing secret %j', (secret, status) => {
  const found = checkSigningSecretFormat(secret)
  expect(found.status).toBe(status)
  expect(JSON.stringify(found)).not.toContain(secret)
})

test('Slackbot needs a public https address, and its access can’t be checked', () => {
  for (const address of [undefined, 'http://links.example.com']) {
    const fix = 'Set PUBLIC_URL to the app’s public https address.'
    expect(checkMcpAddress(address)).toEqual(finding('failed', '', fix))
  }
  const found = checkMcpAddress('https://links.example.com/')
  expect(found).toEqual(finding('skipped', 'https://links.example.com/slack/mcp.'))
  expect(found.message).toContain('never been tried with the real Slack')
  expect(neededScopes([], true).all).toContain('mcp:connect')
})
