import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTransport, type Transport } from '../../src/client/transport.ts'
import { readDeployment } from '../../src/doctor/deployment.ts'
import { checkLinkService } from '../../src/doctor/link-service-group.ts'
import type { Stored } from '../../src/doctor/key-checks.ts'
import { checkStoredKeys } from '../../src/doctor/service-checks.ts'
import type { Finding } from '../../src/doctor/check.ts'
import {
  failure,
  startFakeLinkService,
  type FakeLinkService,
} from '../support/fake-link-service.ts'
import { freePort } from '../support/free-port.ts'
import { startService, type RunningService } from '../support/service.ts'

const BOT = { SLACK_BOT_TOKEN: 'xoxb-1-2-3', SLACK_SIGNING_SECRET: 'f'.repeat(32) }

let service: RunningService
let other: FakeLinkService
let transport: Transport

beforeAll(async () => {
  service = await startService()
  return () => service.close()
})
beforeEach(async () => {
  other = await startFakeLinkService(() => failure(401, 'UNAUTHORIZED'))
  transport = createTransport()
})
afterEach(async () => {
  await other.close()
  await transport.close()
})

/** The link service's findings, as name and status, and all that was printed. */
async function check(env: Record<string, string>, stored?: Stored) {
  const deployment = readDeployment({ ...BOT, ...env })
  const { findings } = await checkLinkService(deployment, Promise.resolve(stored))
  const text = JSON.stringify(findings)
  return { findings, text, status: (name: string) => of(findings, name)?.status }
}

const of = (findings: Finding[], name: string) => findings.find((one) => one.name === name)

const external = (more: Record<string, string> = {}) => ({
  SHORTLINK_BASE_URL: service.baseUrl,
  SHORTLINK_API_KEY: service.apiKey,
  SHORTLINK_DOMAIN: service.domain.name,
  ...more,
})

/** Connections of workspaces T1, T2, … */
function storedKeys(...apiKeys: string[]): Stored {
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
  }
}

test('a service that accepts the key and the domain is fine, and no link is made', async () => {
  const { status } = await check(external())
  expect(status('Link service')).toBe('ok')
  expect(status('SHORTLINK_API_KEY')).toBe('ok')
  expect(status('SHORTLINK_DOMAIN')).toBe('ok')
  expect(await service.database.db.selectFrom('links').selectAll().execute()).toEqual([])
})

test('a key that the service refuses is reported without the key', async () => {
  const apiKey = 'bh_neverissuedneverissuedneverissued'
  const { text, status } = await check(external({ SHORTLINK_API_KEY: apiKey }))
  expect(status('SHORTLINK_API_KEY')).toBe('failed')
  expect(status('SHORTLINK_DOMAIN')).toBeUndefined()
  expect(text).not.toContain(apiKey)
})

test('a domain record that the service does not know is reported', async () => {
  const { findings } = await check(external({ SHORTLINK_DOMAIN: 'go.example.com' }))
  expect(of(findings, 'SHORTLINK_DOMAIN')).toMatchObject({ status: 'failed' })
  expect(of(findings, 'SHORTLINK_DOMAIN')?.fix).toContain('not the hostname')
})

test('says so if the service does not say which domain records it knows', async () => {
  other.answers(({ method, headers }) =>
    headers['x-api-key'] === undefined
      ? failure(401, 'UNAUTHORIZED')
      : method === 'GET'
        ? { status: 200, body: { data: { shortlinks: [], total_count: 0 } } }
        : failure(422, 'VALIDATION', { details: { destination_url: 'is required' } }),
  )
  const { findings } = await check(external({ SHORTLINK_BASE_URL: other.baseUrl }))
  expect(of(findings, 'SHORTLINK_DOMAIN')).toMatchObject({ status: 'skipped' })
})

test.each([
  [failure(404, 'NOT_FOUND'), 'failed', 'not a link service'],
  [{ status: 200, body: '<h1>Welcome</h1>' }, 'warning', 'instead of 401'],
  [
    { status: 302, headers: { location: 'https://sso.example.com/in?x=1' }, body: '' },
    'failed',
    'redirects to https://sso.example.com,',
  ],
  [failure(503, 'AWAY'), 'warning', 'status 503'],
])('an address that answers %j is %s', async (answer, status, message) => {
  other.answers(() => answer)
  const { findings } = await check({ SHORTLINK_BASE_URL: other.baseUrl })
  expect(of(findings, 'Link service')).toMatchObject({ status })
  expect(of(findings, 'Link service')?.message).toContain(message)
})

test('a service that can’t be reached is reported once', async () => {
  const { findings } = await check(
    external({ SHORTLINK_BASE_URL: `http://127.0.0.1:${await freePort()}` }),
  )
  expect(findings).toMatchObject([{ name: 'Link service', status: 'failed' }])
  expect(findings[0]?.message).toContain('ECONNREFUSED')
})

test('the keys of connected workspaces are tried, and the broken ones named', async () => {
  const stored = storedKeys(service.apiKey, 'bh_revoked_long_ago_revoked_long_ago')
  const { findings, text } = await check(external(), stored)
  expect(of(findings, 'Workspaces’ keys')).toMatchObject({ status: 'warning' })
  expect(of(findings, 'Workspaces’ keys')?.message).toContain('1 of 2')
  expect(of(findings, 'Key of T1')).toBeUndefined()
  expect(of(findings, 'Key of T2')).toMatchObject({ status: 'failed' })
  expect(of(findings, 'Key of T2')?.fix).toContain('/shorten connect')
  expect(text).not.toContain('revoked_long_ago')
})

test('at most 20 keys are tried, and the others counted', async () => {
  const access = { transport, baseUrl: other.baseUrl, signal: new AbortController().signal }
  const keys = Array.from({ length: 23 }, (_, index) => `key-${index}`)
  const { findings } = await checkStoredKeys(access, storedKeys(...keys))
  expect(other.received).toHaveLength(20)
  expect(findings[0]?.message).toContain('0 of 20 workspaces. 3 more were not tried.')
})

test('short URLs on localhost are a warning with Slack, and fine in the playground', async () => {
  const SERVICE_PORT = String(await freePort())
  const withSlack = await check({ SERVICE_PORT })
  expect(withSlack.status('SERVICE_PUBLIC_URL')).toBe('warning')
  expect(withSlack.status('Link service')).toBe('skipped')
  const playground = await checkLinkService(
    readDeployment({ SERVICE_PORT }),
    Promise.resolve(undefined),
  )
  expect(of(playground.findings, 'SERVICE_PUBLIC_URL')).toMatchObject({ status: 'ok' })
})

test('the built-in service is asked at its port with the workspaces’ keys', async () => {
  const SERVICE_PORT = new URL(service.baseUrl).port
  const { status } = await check({ SERVICE_PORT }, storedKeys(service.apiKey))
  expect(status('Link service')).toBe('ok')
  expect(status('Workspaces’ keys')).toBe('ok')
})
