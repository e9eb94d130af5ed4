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
import { expectPage, signedIn } from '../../support/dashboard.ts'
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
  'missing.test': answers(404),
  'gone.test': answers(410),
  'broken.test': answers(500),
  'secret.test': answers(403),
  'busy.test': answers(429, () => ({ 'retry-after': String(3 * 86_400) })),
  'circle.test': answers(302, () => ({ location: '/again' })),
  'moved.test': answers(301, () => ({ location: `http://missing.test:${port}/` })),
  'inside.test': answers(302, () => ({ location: `http://127.0.0.2:${port}/metadata` })),
  'liar.test': answers(302, () => ({ location: 'http://[not an address' })),
  'hangs.test': () => undefined,
  'endless.test': (_request, response) => {
    response.writeHead(200).flushHeaders()
    const more = setInterval(() => response.write('x'.repeat(100_000)), 1)
    response.on('close', () => clearInterval(more))
  },
}

function answers(status: number, headers = () => ({})): RequestListener {
  return (_request, response) => response.writeHead(status, headers()).end()
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
  const privateServer = createServer((_request, response) => {
    reached.push('private')
    response.end()
  })
  await listen(privateServer, '127.0.0.2', port)
  tlsPort = await listen(createTlsServer({ key: KEY, cert: CERTIFICATE }, answers(200)))
})
afterAll(async () => {
  await dns.close()
  for (const server of servers) server.close()
})
afterEach(() => {
  received.length = 0
})

const reachable = [...Object.keys(SITES), 'refused.test', 'certificate.test', 'waits.test']

const zone: Record<string, DnsName> = {
  ...Object.fromEntries(reachable.map((name) => [name, { A: ['127.0.0.1'] }])),
  'intranet.test': { A: ['127.0.0.1', '127.0.0.2'] },
  'servfail.test': { fault: 'SERVFAIL' },
}

const network: Network = { timeoutMs: 200, isAllowed: (address) => address === '127.0.0.1' }

test('a stop aborts the request in flight', async () => {
  const stopping = new AbortController()
  const patient = { ...network, timeoutMs: 60_000 }
  const sendRequest = createDestinationClient('test', stopping.signal, patient)
  SITES['waits.test'] = () => stopping.abort()
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
      const processes = [checksOf(), checksOf()]
      zone['rebinds.test'] = { A: ['127.0.0.1'] }
      await pass(2, processes)
      zone['rebinds.test'] = { A: ['127.0.0.2'] }
      expect(Object.values(await statuses()).filter((status) => status === 'dead')).toEqual([])
      await pass(2.5, processes)
      const found = Map.groupBy(Object.entries(await statuses()), ([, status]) => status)
      const namesWith = (status: 'dead' | 'unclear') =>
        found.get(status)?.map(([name]) => name.split('.')[0])
      expect(namesWith('dead')?.sort()).toEqual([
        'certificate',
        'gone',
        'missing',
        'moved',
        'nowhere',
        'refused',
      ])
      expect(namesWith('unclear')?.sort()).toEqual([
        'broken',
        'busy',
        'circle',
        'hangs',
        'liar',
        'secret',
        'servfail',
      ])
      expect(reached).toEqual([])
      const dead = await listed(service, 'state=dead&per_page=100')
      expect(dead.pagination.total_items).toBe(6)
      expect(dead.shortlinks.map((link) => link.destination_status)).toEqual(Array(6).fill('dead'))

      // One process asks, politely.
      const { request } = received.find((one) => one.host === 'works.test') ?? {}
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
        expectPage(page, 200, 'gone.test', 'Dead destination')
        expect(page.text, query).not.toContain('works.test')
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
