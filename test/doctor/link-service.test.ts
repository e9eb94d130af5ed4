import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { createTransport } from '../../src/client/transport.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { Finding } from '../../src/doctor/check.ts'
import type { StoredData } from '../../src/doctor/key-checks.ts'
import { checkLinkService } from '../../src/doctor/program-checks.ts'
import { checkStoredKeys } from '../../src/doctor/service-checks.ts'
import { startFakeShlink } from '../support/fake-shlink.ts'
import { failure, fakeServiceTest as test, type Answer } from '../support/fake-link-service.ts'
import { freePort } from '../support/free-port.ts'
import { startService, type RunningService } from '../support/service.ts'
import { finding } from './finding.ts'

const BOT = { SLACK_BOT_TOKEN: 'xoxb-1-2-3', SLACK_SIGNING_SECRET: 'f'.repeat(32) }

let own: RunningService
beforeAll(async () => {
  own = await startService()
})
afterAll(() => own.close())

/** The findings about the link service, by name. */
async function check(env: Record<string, string>, stored?: StoredData) {
  const findings = await checkLinkService(parseConfig(env), stored)
  return Object.fromEntries<Finding | undefined>(findings.map((found) => [found.name, found]))
}

const external = (more: Record<string, string> = {}) => ({
  ...BOT,
  SHORTLINK_BASE_URL: own.baseUrl,
  SHORTLINK_API_KEY: own.apiKey,
  SHORTLINK_DOMAIN: own.domain.name,
  ...more,
})

/** Connections of workspaces T1, T2, … */
function storedKeys(...apiKeys: string[]): StoredData {
  const readable = apiKeys.map((apiKey, index) => ({
    workspaceId: `T${index + 1}`,
    content: {
      source: 'connected' as const,
      apiKey,
      domains: [{ name: 'dom_1', domain_name: 'go.example.com' }],
    },
  }))
  return {
    connections: { readable, unreadable: 0 },
    installations: { readable: [], unreadable: 0 },
    hostnames: [],
  }
}

test('a service that accepts the key and the domain is fine, and no link is created', async () => {
  expect(await check(external())).toMatchObject({
    'Link service': { status: 'ok' },
    SHORTLINK_API_KEY: { status: 'ok' },
    SHORTLINK_DOMAIN: { status: 'ok' },
  })
  expect(await own.database.db.selectFrom('links').selectAll().execute()).toEqual([])
})

test('a service of another kind is tried with a wrong key', async () => {
  const shlink = await startFakeShlink()
  onTestFinished(() => shlink.close())
  const env = { ...BOT, LINK_SERVICE_KIND: 'shlink' }
  const key = { SHORTLINK_API_KEY: shlink.apiKey, SHORTLINK_DOMAIN: 'go.example.com' }
  expect(await check({ ...env, ...key, SHORTLINK_BASE_URL: shlink.baseUrl })).toMatchObject({
    'Link service': finding('ok', 'Shlink responds'),
    SHORTLINK_API_KEY: { status: 'ok' },
    SHORTLINK_DOMAIN: { status: 'skipped' },
  })
  expect(await check({ ...env, SHORTLINK_BASE_URL: own.baseUrl })).toMatchObject({
    'Link service': finding('failed', 'is not Shlink'),
  })
})

test('a key that the service refuses is reported without the key', async () => {
  const apiKey = 'bh_neverissuedneverissuedneverissued'
  const found = await check(external({ SHORTLINK_API_KEY: apiKey }))
  expect(found).toMatchObject({ SHORTLINK_API_KEY: { status: 'failed' } })
  expect(found).not.toHaveProperty('SHORTLINK_DOMAIN')
  expect(JSON.stringify(found)).not.toContain(apiKey)
})

test('a domain record that the service does not know is reported', async () => {
  const found = await check(external({ SHORTLINK_DOMAIN: 'go.example.com' }))
  expect(found['SHORTLINK_DOMAIN']).toEqual(finding('failed', '', 'not the hostname'))
})

test('says so if the service does not say which domain records it knows', async ({ service }) => {
  service.answers(({ method, headers }) =>
    headers['x-api-key'] !== own.apiKey
      ? failure(401, 'UNAUTHORIZED')
      : method === 'GET'
        ? { status: 200, body: { data: { shortlinks: [], total_count: 0 } } }
        : failure(422, 'VALIDATION', { details: { destination_url: 'is required' } }),
  )
  const found = await check(external({ SHORTLINK_BASE_URL: service.baseUrl }))
  expect(found['SHORTLINK_DOMAIN']).toMatchObject({ status: 'skipped' })
})

const TO_SSO = { status: 302, headers: { location: 'https://sso.example.com/in?x=1' }, body: '' }

test.for<[Answer, status: Finding['status'], message: string]>([
  [failure(404, 'NOT_FOUND'), 'failed', 'not a link service'],
  [{ status: 200, body: '<h1>Welcome</h1>' }, 'failed', 'not a link service'],
  [{ status: 200, body: { data: { shortlinks: [] } } }, 'warning', 'instead of 401'],
  [failure(403, 'FORBIDDEN'), 'warning', 'instead of 401'],
  [TO_SSO, 'failed', 'redirects to another address'],
  [failure(503, 'AWAY'), 'unchecked', 'status 503'],
])('an address that returns %j is %s', async ([answer, status, message], { service }) => {
  service.answers(() => answer)
  const found = await check({ ...BOT, SHORTLINK_BASE_URL: service.baseUrl })
  expect(found['Link service']).toEqual(finding(status, message))
})

test('a service that can’t be reached is reported once', async () => {
  const SHORTLINK_BASE_URL = `http://127.0.0.1:${await freePort()}`
  const found = await check(external({ SHORTLINK_BASE_URL }))
  expect(found).toEqual({ 'Link service': finding('failed', 'ECONNREFUSED') })
})

test('the keys of connected workspaces are tried, and the broken ones named', async () => {
  const stored = storedKeys(own.apiKey, 'bh_revoked_long_ago_revoked_long_ago')
  const found = await check(external(), stored)
  expect(found).toMatchObject({
    'Workspaces’ keys': finding('warning', '1 of 2'),
    'Key of T2': finding('failed', '', '/shorten connect'),
  })
  expect(found).not.toHaveProperty('Key of T1')
  expect(JSON.stringify(found)).not.toContain('revoked_long_ago')
})

test('at most 20 keys are tried, and the others counted', async ({ service }) => {
  service.answers(() => failure(401, 'UNAUTHORIZED'))
  const transport = createTransport()
  onTestFinished(() => transport.close())
  const keys = Array.from({ length: 23 }, (_, index) => `key-${index}`)
  const { signal } = new AbortController()
  const tried = { kind: 'backhalf' as const, transport, baseUrl: service.baseUrl, signal }
  const [found] = await checkStoredKeys(tried, storedKeys(...keys))
  expect(service.received).toHaveLength(20)
  expect(found?.message).toContain('0 of 20 workspaces. 3 more were not tried.')
})

test('short URLs on localhost are a warning with Slack, and fine in the playground', async () => {
  const SERVICE_PORT = String(await freePort())
  expect(await check({ ...BOT, SERVICE_PORT })).toMatchObject({
    SERVICE_PUBLIC_URL: { status: 'warning' },
    'Link service': { status: 'skipped' },
  })
  const inPlayground = await check({ SERVICE_PORT })
  expect(inPlayground['SERVICE_PUBLIC_URL']).toMatchObject({ status: 'ok' })
})

test('the built-in service is asked at its port with the workspaces’ keys', async () => {
  const SERVICE_PORT = new URL(own.baseUrl).port
  expect(await check({ ...BOT, SERVICE_PORT }, storedKeys(own.apiKey))).toMatchObject({
    'Link service': { status: 'ok' },
    'Workspaces’ keys': { status: 'ok' },
  })
})
