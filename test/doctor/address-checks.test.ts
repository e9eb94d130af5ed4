import { createServer as createHttp, type RequestListener, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { checkLocalPort, checkPublicAddress, localOrigin } from '../../src/doctor/address-checks.ts'
import { checkCertificate } from '../../src/doctor/certificate.ts'
import { isPrivate } from '../../src/doctor/private-address.ts'
import { freePort } from '../support/free-port.ts'
import { startService } from '../support/service.ts'
import { CERTIFICATE, KEY } from './localhost-certificate.ts'

let servers: Server[] = []
afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  servers = []
})

/** @returns the port */
async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const answering = (listener: RequestListener) => listen(createHttp(listener))
const withTls = () =>
  listen(createHttps({ key: KEY, cert: CERTIFICATE }, (_request, response) => response.end()))

/** The findings without the one that says that loopback addresses are not public. */
async function findingsOf(...args: Parameters<typeof checkPublicAddress>) {
  const { findings } = await checkPublicAddress(...args)
  return findings.filter(({ message }) => !message.includes('only this machine'))
}

test('our own service answers, and the finding does not claim to know what Slack sees', async () => {
  const service = await startService()
  const { findings, serverTime } = await checkPublicAddress(service.baseUrl)
  await service.close()
  expect(findings).toMatchObject([{ status: 'warning' }, { status: 'ok' }])
  expect(findings[0]?.message).toContain('127.0.0.1')
  expect(findings[1]?.message).toContain('can’t prove what Slack')
  expect(serverTime?.date).toBeGreaterThan(0)
})

test('a path before /healthz is kept', async () => {
  const port = await answering((request, response) => {
    response.writeHead(request.url === '/links/healthz' ? 200 : 404)
    response.end('{"status":"ok"}')
  })
  expect(await findingsOf(`http://127.0.0.1:${port}/links`)).toMatchObject([{ status: 'ok' }])
})

test('a hostname without a DNS record is reported', async () => {
  const { findings } = await checkPublicAddress('https://backhalf-doctor.invalid')
  expect(findings).toMatchObject([{ status: 'failed' }])
  expect(findings[0]?.message).toMatch(/DNS has no address|can’t be looked up/)
  expect(findings[0]?.message).toContain('backhalf-doctor.invalid')
})

test.each([
  [true, 'failed', 'forward all paths'],
  [false, 'skipped', 'Start Backhalf'],
  [undefined, 'warning', 'If Backhalf is running'],
] as const)(
  'nothing answers while the program runs (%s): the finding is %s',
  async (isRunning, status, fix) => {
    const url = `http://127.0.0.1:${await freePort()}`
    const [finding] = await findingsOf(url, '/healthz', { isRunning, name: 'PUBLIC_URL' })
    expect(finding).toMatchObject({ name: 'PUBLIC_URL', status })
    expect(finding?.message).toContain('ECONNREFUSED')
    expect(finding?.fix).toContain(fix)
  },
)

test('reports a proxy without Backhalf behind it differently than another website', async () => {
  const proxy = await answering((_request, response) => response.writeHead(502).end('bad gateway'))
  const [behind] = await findingsOf(`http://127.0.0.1:${proxy}`, '/healthz', {
    isRunning: true,
    localAddress: '127.0.0.1:3000',
  })
  expect(behind).toMatchObject({ status: 'failed' })
  expect(behind?.message).toContain('A proxy answers')
  expect(behind?.fix).toContain('127.0.0.1:3000')
  const website = await answering((_request, response) => response.end('<h1>Welcome</h1>'))
  const [other] = await findingsOf(`http://127.0.0.1:${website}`, '/healthz', { isRunning: false })
  expect(other).toMatchObject({ status: 'failed' })
  expect(other?.message).toContain('it is not Backhalf')
})

test('an address that redirects is reported', async () => {
  const port = await answering((_request, response) =>
    response.writeHead(308, { location: 'https://www.example.com/healthz' }).end(),
  )
  const [finding] = await findingsOf(`http://127.0.0.1:${port}`)
  expect(finding).toMatchObject({ status: 'failed' })
  expect(finding?.fix).toContain('redirects')
})

test('reports only the certificate if it is not trusted', async () => {
  const findings = await findingsOf(`https://localhost:${await withTls()}`)
  expect(findings).toMatchObject([{ status: 'failed' }])
  expect(findings[0]?.message).toContain('not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)')
})

const EXPIRES = Date.parse('2046-01-01T00:00:00Z')

test.each([
  [15, 'ok', 'valid until'],
  [13, 'warning', 'expires in 13 days'],
  [-1, 'failed', 'expired on'],
])('a certificate that expires in %i days is %s', async (days, status, message) => {
  const url = new URL(`https://localhost:${await withTls()}`)
  const now = () => EXPIRES - days * 86_400_000
  const finding = await checkCertificate(url, 'PUBLIC_URL', { ca: CERTIFICATE, now })
  expect(finding).toMatchObject({ name: 'PUBLIC_URL', status })
  expect(finding?.message).toContain(message)
})

test('a certificate for another hostname is not trusted', async () => {
  const url = new URL(`https://127.0.0.1:${await withTls()}`)
  const finding = await checkCertificate(url, 'PUBLIC_URL', { ca: CERTIFICATE })
  expect(finding?.message).toContain('ERR_TLS_CERT_ALTNAME_INVALID')
})

test('a server without TLS has no certificate to judge', async () => {
  const port = await answering((_request, response) => response.end())
  expect(await checkCertificate(new URL(`https://127.0.0.1:${port}`), 'PUBLIC_URL')).toBeUndefined()
})

test('an https address that leads to plain HTTP is reported', async () => {
  const port = await answering((_request, response) => response.end())
  const [finding] = await findingsOf(`https://127.0.0.1:${port}`)
  expect(finding).toMatchObject({ status: 'failed' })
  expect(finding?.message).toContain('does not speak https')
})

const APP = { name: 'App', variable: 'PORT', command: 'npm start' }

test('a program that is not running is skipped', async () => {
  const { finding, isRunning } = await checkLocalPort(`http://127.0.0.1:${await freePort()}`, APP)
  expect(isRunning).toBe(false)
  expect(finding).toMatchObject({ name: 'App', status: 'skipped' })
  expect(finding.fix).toContain('npm start')
})

test('another program on the port is reported', async () => {
  const port = await answering((_request, response) => response.writeHead(404).end())
  const { finding, isRunning } = await checkLocalPort(`http://127.0.0.1:${port}`, APP)
  expect(isRunning).toBe(false)
  expect(finding).toMatchObject({ status: 'failed' })
  expect(finding.message).toContain('Another program')
  expect(finding.fix).toContain('PORT')
})

test('a program that runs but is not ready is reported', async () => {
  const port = await answering((request, response) => {
    const isHealthz = request.url === '/healthz'
    response.writeHead(isHealthz ? 200 : 503).end(isHealthz ? '{"status":"ok"}' : '{}')
  })
  const { finding, isRunning } = await checkLocalPort(`http://127.0.0.1:${port}`, APP)
  expect(isRunning).toBe(true)
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

test.each([
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['172.32.0.1', false],
  ['100.64.0.1', true],
  ['203.0.113.7', false],
  ['::1', true],
  ['fd00::1', true],
  ['::ffff:192.168.0.1', true],
  ['2606:4700::1', false],
])('whether %s is private: %s', (address, expected) => {
  expect(isPrivate(address)).toBe(expected)
})
