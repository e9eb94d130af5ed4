import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import {
  checkCertificate,
  checkLocalPort,
  checkPublicAddress,
  localOrigin,
  type AddressOptions,
} from '../../src/doctor/address-checks.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { fakeServiceTest as test, type Answer } from '../support/fake-link-service.ts'
import { freePort } from '../support/free-port.ts'
import { startService } from '../support/service.ts'
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
  expect(findings).toMatchObject([{ status: 'warning' }, { status: 'ok' }])
  expect(findings[0]?.message).toContain('127.0.0.1')
  expect(findings[1]?.message).toContain('can’t prove what Slack')
})

test('a path before /healthz is kept', async ({ service }) => {
  service.answers(() => ({ status: 200, body: { status: 'ok' } }))
  expect(await check(`${service.baseUrl}/links`)).toMatchObject([{ status: 'ok' }])
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
  const findings = await check(`https://${hostname}`)
  expect(findings).toMatchObject([{ status: 'failed', message }])
  expect(findings[0]?.fix).toContain(fix)
})

test.each([
  [true, 'failed', 'forward all paths'],
  [false, 'skipped', 'Start Backhalf'],
] as const)(
  'nothing responds while the program runs (%s): the finding is %s',
  async (isRunning, status, fix) => {
    const [finding] = await check(`http://127.0.0.1:${await freePort()}`, { isRunning })
    expect(finding).toMatchObject({ status })
    expect(finding?.message).toContain('ECONNREFUSED')
    expect(finding?.fix).toContain(fix)
  },
)

const REDIRECT = { status: 308, headers: { location: 'https://www.example.com/healthz' }, body: '' }

test.for<[string, Answer, boolean, message: string, fix: string]>([
  [
    'a proxy without Backhalf behind it',
    { status: 502, body: '' },
    true,
    'a proxy returns status 502',
    '127.0.0.1:3000',
  ],
  [
    'another website',
    { status: 200, body: '<h1>Welcome</h1>' },
    false,
    'it is not Backhalf',
    '127.0.0.1:3000',
  ],
  ['an address that redirects', REDIRECT, false, 'it is not Backhalf', 'redirects'],
])('reports %s', async ([, answer, isRunning, message, fix], { service }) => {
  service.answers(() => answer)
  const [finding] = await check(service.baseUrl, { isRunning })
  expect(finding).toMatchObject({ status: 'failed' })
  expect(finding?.message).toContain(message)
  expect(finding?.fix).toContain(fix)
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
  const findings = await check(`https://localhost:${port}`)
  expect(findings).toMatchObject([{ status: 'failed' }])
  expect(findings[0]?.message).toContain('https does not work at https://localhost:')
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
  const [finding] = await check(url)
  expect(finding).toMatchObject({ status: 'failed' })
  expect(finding?.message).toContain('https does not work')
})

const APP = { setting: 'PORT' }

test('a program that is not running is skipped', async () => {
  const finding = await checkLocalPort(`http://127.0.0.1:${await freePort()}`, APP)
  expect(finding).toMatchObject({ status: 'skipped' })
  expect(finding.fix).toContain('npm start')
})

test('another program on the port is reported', async ({ service }) => {
  const finding = await checkLocalPort(service.baseUrl, APP)
  expect(finding).toMatchObject({ status: 'failed' })
  expect(finding.message).toContain('Another program')
  expect(finding.fix).toContain('PORT')
})

test('a program that runs but is not ready is reported', async ({ service }) => {
  service.answers(({ url }) =>
    url === '/healthz' ? { status: 200, body: { status: 'ok' } } : { status: 503, body: {} },
  )
  const finding = await checkLocalPort(service.baseUrl, APP)
  expect(finding).toMatchObject({ status: 'warning' })
  expect(finding.message).toContain('not ready')
})

test.each([
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://[::1]:3000'],
  ['::1', 'http://[::1]:3000'],
  ['localhost', 'http://localhost:3000'],
])('a server on %s is asked at %s', (host, origin) => {
  expect(localOrigin(host, 3000)).toBe(origin)
})
