import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createDestinationChecks } from '../../../src/service/destinations/destination-checks.ts'
import {
  createDestinationClient,
  isPublicAddress,
  type Network,
} from '../../../src/service/destinations/request-destination.ts'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { addClicks } from '../../../src/service/store/clicks.ts'
import { CERTIFICATE, KEY } from '../../doctor/localhost-certificate.ts'
import { recordingLogger } from '../../support/recording-logger.ts'
import { startDnsServer, type DnsName } from '../../support/dns-server.ts'
import { signedIn } from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { listed, newLink } from '../../support/service-calls.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

test.for([
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.100.100.200'],
  ...['0.0.0.0', '224.0.0.1', '255.255.255.255', '192.0.0.192', '198.18.0.1', '168.63.129.16'],
  ...['::', '::1', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', 'fec0::1', '::7f00:1'],
  ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::7f00:1'],
  ...['2002:7f00:1::', '2001:0:4136:e378::1', '2001:db8::1'],
])('%s is not on the internet', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.for(['93.184.216.34', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001:830::200e'])(
  '%s is on the internet',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

/** How the servers of each name answer. */
const SITES: Record<string, RequestListener> = {
  'works.test': (_request, response) => response.end('hello'),
  'head.test': ({ method }, response) =>
    response.writeHead(method === 'HEAD' ? 404 : 200).end('hello'),
  'missing.test': (_request, response) => response.writeHead(404).end(),
  'gone.test': (_request, response) => response.writeHead(410).end(),
  'broken.test': (_request, response) => response.writeHead(500).end(),
  'secret.test': (_request, response) => response.writeHead(403).end(),
  'busy.test': (_request, response) =>
    response.writeHead(429, { 'retry-after': String(3 * 86_400) }).end(),
  'circle.test': (_request, response) => response.writeHead(302, { location: '/again' }).end(),
  'moved.test': (_request, response) =>
    response.writeHead(301, { location: `http://missing.test:${port}/` }).end(),
  'inside.test': (_request, response) =>
    response.writeHead(302, { location: `http://127.0.0.2:${port}/metadata` }).end(),
  'hangs.test': () => undefined,
  'endless.test': (_request, response) => {
    response.writeHead(200).flushHeaders()
    const more = setInterval(() => response.write('x'.repeat(100_000)), 1)
    response.on('close', () => clearInterval(more))
  },
  'liar.test': (_request, response) =>
    response.writeHead(302, { location: 'http://[not an address' }).end(),
}

const received: { host: string; request: IncomingMessage; at: number }[] = []
const reached: string[] = []
let port = 0
let tlsPort = 0
const servers: Server[] = []
let now = Date.parse('2026-03-01T12:00:00Z')

async function listen(server: Server, host = '127.0.0.1', on = 0): Promise<number> {
  server.listen(on, host)
  await once(server, 'listening')
  servers.push(server)
  return (server.address() as AddressInfo).port
}

let dns: Awaited<ReturnType<typeof startDnsServer>>
beforeAll(async () => {
  dns = await startDnsServer(zone)
  port = await listen(
    createServer((request, response) => {
      const host = request.headers.host?.split(':')[0] ?? ''
      received.push({ host, request, at: now })
      const answer = SITES[host]
      if (answer) answer(request, response)
      else response.writeHead(404).end()
    }),
  )
  await listen(
    createServer((_request, response) => {
      reached.push('private')
      response.end()
    }),
    '127.0.0.2',
    port,
  )
  tlsPort = await listen(
    createTlsServer({ key: KEY, cert: CERTIFICATE }, (_request, response) => {
      response.end()
    }),
  )
})
afterAll(async () => {
  await dns.close()
  for (const server of servers) server.close()
})
afterEach(() => {
  received.length = 0
})

const zone: Record<string, DnsName> = {
  ...Object.fromEntries(
    [...Object.keys(SITES), 'refused.test', 'certificate.test'].map((name) => [
      name,
      { A: ['127.0.0.1'] },
    ]),
  ),
  'intranet.test': { A: ['127.0.0.1', '127.0.0.2'] },
  'servfail.test': { fault: 'SERVFAIL' },
}

const network: Network = { timeoutMs: 200, isAllowed: (address) => address === '127.0.0.1' }

test('a stop aborts the request in flight', async () => {
  const stopping = new AbortController()
  const patient = { ...network, timeoutMs: 60_000 }
  const sendRequest = createDestinationClient('test', stopping.signal, patient)
  SITES['waits.test'] = () => stopping.abort()
  zone['waits.test'] = { A: ['127.0.0.1'] }
  const answer = await sendRequest(new URL(`http://waits.test:${port}/`), 'GET')
  expect(answer).toEqual({ kind: 'unclear', reason: 'no response' })
  delete SITES['waits.test']
})

describeService(
  (service) => {
    const checksOf = () =>
      createDestinationChecks({
        ...service.database,
        eraseDeleted: () => service.database.eraseDeleted(),
        addresses: createAddresses(service.baseUrl),
        now: () => now,
        logger: recordingLogger().logger,
        publicUrl: 'https://go.example.com',
        network,
      })

    const statuses = async () =>
      Object.fromEntries(
        (await listed(service, 'per_page=100')).shortlinks.map((link) => [
          new URL(link.destination_url).hostname,
          link.destination_status,
        ]),
      )

    /** Lets time pass, in which the processes check. */
    async function pass(days: number, processes: readonly ReturnType<typeof checksOf>[]) {
      for (const end = now + days * DAY_MS; now < end; now += 20 * MINUTE_MS) {
        for (const checks of processes) await checks.fillQueues()
        for (let minute = 0; minute < 14; minute++) {
          for (const { sendNext } of processes) while (await sendNext());
          now += MINUTE_MS
        }
        now -= 14 * MINUTE_MS
      }
    }

    test('destinations that fail on three days in a row are dead', async () => {
      const destinations = [
        ...Object.keys(SITES).map((name) => `http://${name}:${port}/page`),
        `http://nowhere.test:${port}/`,
        'http://refused.test:1/',
        `https://certificate.test:${tlsPort}/`,
        `http://intranet.test:${port}/`,
        `http://servfail.test:${port}/`,
        `http://rebinds.test:${port}/`,
        `http://127.0.0.2:${port}/`,
        `http://[::ffff:127.0.0.2]:${port}/`,
      ]
      for (const destination_url of destinations) {
        const { name } = await newLink(service, { destination_url })
        const day = new Date(now).toISOString().slice(0, 10)
        await service.database.write(addClicks([{ link_id: name, day, people: 1, bots: 0 }]))
      }
      const never = await newLink(service, { destination_url: `http://missing.test:${port}/never` })
      expect(never.name).toBeTruthy()
      const processes = [checksOf(), checksOf()]
      zone['rebinds.test'] = { A: ['127.0.0.1'] }
      await pass(2, processes)
      zone['rebinds.test'] = { A: ['127.0.0.2'] }
      expect(Object.values(await statuses()).filter((status) => status === 'dead')).toEqual([])
      await pass(2.5, processes)
      expect(await statuses()).toMatchObject({
        'works.test': undefined,
        'head.test': undefined,
        'endless.test': undefined,
        'gone.test': 'dead',
        'moved.test': 'dead',
        'nowhere.test': 'dead',
        'refused.test': 'dead',
        'certificate.test': 'dead',
        'broken.test': 'unclear',
        'secret.test': 'unclear',
        'busy.test': 'unclear',
        'circle.test': 'unclear',
        'servfail.test': 'unclear',
        'hangs.test': 'unclear',
        'liar.test': 'unclear',
        'inside.test': undefined,
        'intranet.test': undefined,
      })
      expect(reached).toEqual([])
      const dead = await listed(service, 'state=dead&per_page=100')
      expect(dead.shortlinks.map((link) => link.destination_status)).toEqual(
        dead.shortlinks.map(() => 'dead'),
      )
      expect(dead.pagination.total_items).toBe(dead.shortlinks.length)

      // One process asks, politely.
      const { host, request } = received.find((one) => one.host === 'works.test') ?? {}
      expect(host).toBe('works.test')
      expect(request?.headers['user-agent']).toBe(
        'BackhalfBot/1.0 (checks links; +https://go.example.com/docs)',
      )
      const ofBusy = received.filter((one) => one.host === 'busy.test')
      expect(ofBusy.length).toBeLessThanOrEqual(3)
      for (const name of Object.keys(SITES)) {
        const times = received.filter((one) => one.host === name).map(({ at }) => at)
        const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0))
        expect(Math.min(Infinity, ...pauses)).toBeGreaterThanOrEqual(MINUTE_MS)
      }
    })

    test('the API, the dashboard and the CSV file list dead destinations, also with a search', async () => {
      const found = await listed(service, 'state=dead&q=gone.test&per_page=100')
      expect(found.shortlinks.map((link) => link.destination_status)).toEqual(['dead'])
      // Days have passed, so an earlier session has ended.
      const browser = await signedIn(service, () => now)
      for (const query of ['state=dead', 'state=dead&q=gone.test', 'state=dead&sort=clicks']) {
        const page = await browser.get(`/dashboard?${query}`)
        expect(page.status, query).toBe(200)
        const { text: html } = page
        expect(html, query).toContain('gone.test')
        expect(html, query).toContain('Dead destination</span>')
        expect(html, query).not.toContain('works.test')
      }
      const csv = (await browser.get('/dashboard/links.csv?state=dead')).text
      expect(csv).toContain('gone.test')
      expect(csv).not.toContain('works.test')
    })

    test('a destination that works again, a new destination and a link that is off are not dead', async () => {
      const dead = async () =>
        (await listed(service, 'state=dead&per_page=100')).shortlinks.map(
          (link) => new URL(link.destination_url).hostname,
        )
      expect(await dead()).toContain('gone.test')
      const gone = SITES['gone.test']
      SITES['gone.test'] = (_request, response) => response.end()
      await pass(1.5, [checksOf()])
      if (gone) SITES['gone.test'] = gone
      expect(await dead()).not.toContain('gone.test')
      expect(await dead()).toContain('moved.test')
      await service.database.db
        .updateTable('links')
        .set({ enabled: 0 })
        .where('destination_url', 'like', '%moved.test%')
        .execute()
      expect(await dead()).not.toContain('moved.test')
    })
  },
  { now: () => now },
)
