import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { parseConfig } from '../../src/config/config.ts'
import {
  checkCertificate,
  checkLocalPort,
  checkPublicAddress,
  localOrigin,
  localServiceUrlWarning,
  type AddressOptions,
} from '../../src/doctor/address-checks.ts'
import { startApp } from '../support/app.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { fakeServiceTest as test, type Answer } from '../support/fake-link-service.ts'
import { freePort } from '../support/free-port.ts'
import { recordingLogger } from '../support/recording-logger.ts'
import { startService } from '../support/service.ts'
import { finding } from './finding.ts'
import { CERTIFICATE, KEY } from './localhost-certificate.ts'

const RUNNING: AddressOptions = { isRunning: true, localAddress: '127.0.0.1:3000' }

/** The findings without the one that says that loopback addresses are not public. */
async function check(url: string, more: Partial<AddressOptions> = {}) {
  const findings = await checkPublicAddress(url, { ...RUNNING, ...more })
  return findings.filter(({ message }) => !message.includes('only this machine'))
}

test('our own service responds, and the finding does not claim to know what Slack sees', async () => {
  const service = await startService()
  const findings = await checkPublicAddress(service.baseUrl, RUNNING)
  await service.close()
  expect(findings).toEqual([
    finding('warning', '127.0.0.1'),
    finding('ok', 'can’t prove what Slack'),
  ])
})

test('a path before /healthz is kept', async ({ service }) => {
  service.answers(() => ({ status: 200, body: { status: 'ok' } }))
  expect(await check(`${service.baseUrl}/links`)).toEqual([finding('ok')])
  expect(service.received).toMatchObject([{ url: '/links/healthz' }])
})

test.for([
  ['new.example.com', 'DNS has no address for new.example.com.', 'A or AAAA'],
  [
    'broken.example.com',
    'The address of broken.example.com can’t be looked up (ESERVFAIL).',
    'resolv',
  ],
] as const)('reports what DNS says about %s', async ([hostname, message, fix]) => {
  const dns = await startDnsServer({ 'broken.example.com': { fault: 'SERVFAIL' } })
  onTestFinished(() => dns.close())
  expect(await check(`https://${hostname}`)).toEqual([finding('failed', message, fix)])
})

test.each([
  [true, 'failed', 'forward all paths'],
  [false, 'skipped', 'Start Backhalf'],
] as const)(
  'nothing responds while the program runs (%s): the finding is %s',
  async (isRunning, status, fix) => {
    const findings = await check(`http://127.0.0.1:${await freePort()}`, { isRunning })
    expect(findings).toEqual([finding(status, 'ECONNREFUSED', fix)])
  },
)

const PROXY = { status: 502, body: '' }
const WEBSITE = { status: 200, body: '<h1>Welcome</h1>' }
const REDIRECT = { status: 308, headers: { location: 'https://www.example.com/healthz' }, body: '' }

test.for<[string, Answer, isRunning: boolean, message: string, fix: string]>([
  ['a proxy without Backhalf', PROXY, true, 'a proxy returns status 502', '127.0.0.1:3000'],
  ['another website', WEBSITE, false, 'it is not Backhalf', '127.0.0.1:3000'],
  ['an address that redirects', REDIRECT, false, 'it is not Backhalf', 'redirects'],
])('reports %s', async ([, answer, isRunning, message, fix], { service }) => {
  service.answers(() => answer)
  expect(await check(service.baseUrl, { isRunning })).toEqual([finding('failed', message, fix)])
})

/** A server with a certificate for `localhost` that nothing trusts. */
const tlsTest = test.extend<{ port: number }>({
  port: async ({}, use) => {
    const server = createServer({ key: KEY, cert: CERTIFICATE }, (_request, answer) => answer.end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await use((server.address() as AddressInfo).port)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  },
})

tlsTest('reports only the certificate if it is not trusted', async ({ port }) => {
  expect(await check(`https://localhost:${port}`)).toEqual([
    finding('failed', 'https does not work at https://localhost:'),
  ])
})

tlsTest('warns if the certificate expires within two weeks', async ({ port }) => {
  const url = new URL(`https://localhost:${port}`)
  // It is valid until the end of 2045.
  expect(await checkCertificate(url, Date.UTC(2045, 11, 17))).toEqual([])
  expect(await checkCertificate(url, Date.UTC(2045, 11, 25))).toMatchObject([
    { status: 'warning', message: 'The certificate of localhost expires in 7 days.' },
  ])
})

test('an https address that leads to plain HTTP is reported', async ({ service }) => {
  const url = service.baseUrl.replace('http:', 'https:')
  expect(await check(url)).toEqual([finding('failed', 'https does not work')])
})

const APP = { setting: 'PORT' }

test('a program that is not running is skipped', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  expect(await checkLocalPort(url, APP)).toEqual(finding('skipped', '', 'npm start'))
})

test('another program on the port is reported', async ({ service }) => {
  const found = await checkLocalPort(service.baseUrl, APP)
  expect(found).toEqual(finding('failed', 'Another program', 'PORT'))
})

test('a program that runs but is not ready is reported', async ({ service }) => {
  service.answers(({ url }) =>
    url === '/healthz' ? { status: 200, body: { status: 'ok' } } : { status: 503, body: {} },
  )
  expect(await checkLocalPort(service.baseUrl, APP)).toEqual(finding('warning', 'not ready'))
})

test.each([
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://[::1]:3000'],
  ['::1', 'http://[::1]:3000'],
  ['localhost', 'http://localhost:3000'],
])('a server on %s is asked at %s', (host, origin) => {
  expect(localOrigin(host, 3000)).toBe(origin)
})

const SLACK = { SLACK_BOT_TOKEN: 'xoxb-1-2-3', SLACK_SIGNING_SECRET: 'f'.repeat(32) }

const warning = (env: Record<string, string>) => localServiceUrlWarning(parseConfig(env))

test.each([
  'http://localhost:3001',
  'http://127.0.0.1',
  'http://[::1]:3001',
  'http://go.localhost',
])('warns that short URLs at %s open only on this machine', (url) => {
  expect(warning({ ...SLACK, SERVICE_PUBLIC_URL: url })).toBe(
    `Short links open only on this machine, and Slack can’t show their cards and preview images, because SERVICE_PUBLIC_URL is ${url}. Set it to a public https address that leads to port 3001. npm run setup helps with that.`,
  )
})

test.each([
  { ...SLACK, SERVICE_PUBLIC_URL: 'https://go.example.com' },
  { ...SLACK, SERVICE_PUBLIC_URL: 'http://203.0.113.7:3001' },
  { ...SLACK, SERVICE_PUBLIC_URL: 'http://[2001:db8::1]' },
  { ...SLACK, SHORTLINK_BASE_URL: 'https://links.example.com' },
  {}, // The playground.
])('does not warn with %j', (env) => {
  expect(warning(env)).toBeUndefined()
})

test('the app warns about it when it starts', async () => {
  const { logger, lines } = recordingLogger()
  await (await startApp({ logger })).stop()
  expect(lines.join()).toContain('Short links open only on this machine')
})
