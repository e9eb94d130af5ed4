import { expect, onTestFinished } from 'vitest'
import { adminJson } from '../../support/admin.ts'
import { withService } from '../../support/fixtures.ts'
import { startService } from '../../support/service.ts'
import { call } from '../../support/service-calls.ts'

const { test, service } = withService({ publicUrl: 'https://go.example.com' })

const ask = (query: string, headers: Record<string, string> = {}) =>
  call(`${service.baseUrl}/tls-allowed${query}`, { headers })

test.beforeAll(async () => {
  await adminJson(service, 'domains', 'add', 's.example.com')
  await adminJson(service, 'domains', 'add', 'münchen.example')
})

test.for<[string, string]>([
  ['the hostname of SERVICE_PUBLIC_URL', 'go.example.com'],
  ['a domain record, in any form', 'S.EXAMPLE.COM.'],
  ['a hostname in another script, as it is in a handshake', 'xn--mnchen-3ya.example'],
])('allows %s', async ([, domain]) => {
  const { status, text } = await ask(`?domain=${domain}`)
  expect([status, text]).toEqual([200, 'allowed\n'])
})

test.for<[string, string]>([
  ['another hostname', '?domain=example.org'],
  ['a hostname below that of a record', '?domain=a.s.example.com'],
  ['the stored name of the built-in record', '?domain='],
  ['an ID that is not a hostname', '?domain=default'],
  ['no hostname', ''],
  ['two hostnames', '?domain=s.example.com&domain=go.example.com'],
  ['a long text', `?domain=${'s.'.repeat(5_000)}example.com`],
  ['odd characters', '?domain=%00%ff%27%3b--s.example.com'],
])('refuses %s, without an error in the log', async ([, query]) => {
  const logged = service.logLines.length
  const { status, text } = await ask(query)
  expect([status, text]).toEqual([404, 'not allowed\n'])
  expect(service.logLines.slice(logged)).toEqual([])
})

test.for(['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via'])(
  'is an unknown page if a proxy has added %s',
  async (name) => {
    const { status, text } = await ask('?domain=s.example.com', { [name]: 'x' })
    expect(status).toBe(404)
    expect(text).toContain('This link doesn’t work.')
  },
)

test('allows the earlier hostnames of SERVICE_PUBLIC_URL, whose short URLs still work', async () => {
  const moved = await startService({
    databaseUrl: service.databaseUrl,
    publicUrl: 'https://new.example.com',
  })
  onTestFinished(() => moved.close())
  for (const domain of ['new.example.com', 'go.example.com']) {
    expect((await call(`${moved.baseUrl}/tls-allowed?domain=${domain}`)).status).toBe(200)
  }
})
