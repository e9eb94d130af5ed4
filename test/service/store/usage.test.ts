import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Database } from '../../../src/database/database.ts'
import { DatabaseUnavailableError } from '../../../src/database/errors.ts'
import { type Clock, systemClock } from '../../../src/timing/clock.ts'
import { dayOf } from '../../../src/timing/days.ts'
import { createUsage } from '../../../src/service/store/usage.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'
import { recordingLogger } from '../../support/recording-logger.ts'
import { addDomainRecord, addLinks, addOwners, linkRow, removeLinks } from '../../support/rows.ts'
import { call, listed, shorten } from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

const FIREFOX = 'Mozilla/5.0 Firefox/140.0'

/** A stop waits 2 s for the database. A busy machine might need more. */
const patient: Pick<Clock, 'sleep'> = {
  sleep: (ms, signal) => systemClock.sleep(ms === 2_000 ? 120_000 : ms, signal),
}

/** Opens a short URL as a browser does, once for each of the requests. */
async function visit({ baseUrl }: RunningService, backHalf: string, ...requests: RequestInit[]) {
  for (const request of requests) {
    await call(`${baseUrl}/${backHalf}`, {
      ...request,
      headers: { 'user-agent': FIREFOX, ...(request.headers as Record<string, string>) },
    })
  }
}

describeOnEveryDatabase((opened) => {
  let now = Date.parse('2027-03-01T23:59:59.000Z')

  async function start(): Promise<RunningService> {
    await removeLinks(opened.database)
    return startService({ databaseUrl: opened.url, now: () => now })
  }

  /** Makes the only link. @returns its ID, which is its back-half too */
  async function addLink(id: string): Promise<string> {
    await removeLinks(opened.database)
    await addOwners(opened.database, 'acme')
    await addLinks(opened.database, linkRow(id))
    return id
  }

  const usageWith = (write: Database['write'] = opened.database.write) =>
    createUsage({ write, logger: pino({ level: 'silent' }), now: () => now, clock: patient })

  const counted = () =>
    opened.database.db
      .selectFrom('clicks')
      .innerJoin('links', 'links.id', 'clicks.link_id')
      .select(['back_half', 'day', 'people', 'bots'])
      .orderBy('back_half')
      .orderBy('day')
      .execute()

  test('counts people and bots by link and day, the hosts that people come from, and the last use of keys to the minute, and writes them at shutdown', async () => {
    const service = await start()
    await addDomainRecord(opened.database, 'brand')
    await shorten(service, 'one')
    await shorten(service, 'two')
    const from = (referer: string, more = {}): RequestInit => ({ headers: { referer, ...more } })
    await visit(
      service,
      'one',
      from('https://User:Secret@News.Example.:8443/article?reader=7#top'),
      from('http://news.example/'),
      from('https://bücher.example/'),
      from(`${service.baseUrl}/`),
      from('https://brand.example/other'),
      from('https://bots.example/', { 'user-agent': 'curl/8' }),
      // These are no clicks.
      { method: 'HEAD', headers: { referer: 'https://head.example/' } },
      { headers: { 'sec-purpose': 'prefetch;prerender' } },
      { headers: { purpose: 'Prefetch' } },
      { headers: { 'x-purpose': 'preview' } },
    )
    await visit(service, 'nothing', {})
    now += 1000
    await visit(service, 'one', {})
    await visit(service, 'two', { headers: { 'user-agent': 'Twitterbot/1.0' } })
    await service.close()
    const { db } = opened.database
    const day = '2027-03-01'
    expect(await counted()).toEqual([
      { back_half: 'one', day, people: 5, bots: 1 },
      { back_half: 'one', day: '2027-03-02', people: 1, bots: 0 },
      { back_half: 'two', day: '2027-03-02', people: 0, bots: 1 },
    ])
    const hosts = db.selectFrom('referrers').select(['day', 'host', 'people'])
    expect(await hosts.orderBy('people', 'desc').execute()).toEqual([
      { day, host: 'news.example', people: 2 },
      { day, host: 'xn--bcher-kva.example', people: 1 },
    ])
    const again = await startService({ databaseUrl: opened.url, now: () => now })
    const { shortlinks } = await listed(again, 'order=asc')
    expect(shortlinks).toMatchObject([{ clicks: 6 }, { clicks: 0 }])
    await again.close()
    const keys = await db.selectFrom('api_keys').select('last_used_at').execute()
    expect(keys.map(({ last_used_at: at }) => at)).toContain(now - (now % 60_000))
  })

  test('writes counts later if they could not be written', async () => {
    const id = await addLink('kept')
    let fails = true
    const write: Database['write'] = async (...args) => {
      if (fails) throw new Error('the disk is full')
      return opened.database.write(...args)
    }
    const usage = usageWith(write)
    usage.countClick(id, 'person')
    await usage.flush()
    expect(await counted()).toEqual([])
    fails = false
    usage.countClick(id, 'person')
    await usage.close()
    expect(await counted()).toEqual([{ back_half: 'kept', day: '2027-03-02', people: 2, bots: 0 }])
  })

  test('counts no click twice if a write failed after its commit', async () => {
    const id = await addLink('once')
    const write: Database['write'] = async (...args) => {
      await opened.database.write(...args)
      throw new DatabaseUnavailableError('the response was lost', { mayHaveCommitted: true })
    }
    const usage = usageWith(write)
    usage.countClick(id, 'person')
    await usage.flush()
    await usage.close()
    expect(await counted()).toMatchObject([{ back_half: 'once', people: 1 }])
  })

  test('keeps at most 100 new hosts for a link and day, in memory and in several processes, and places for hosts that return', async () => {
    const { db } = opened.database
    const id = await addLink('flooded')
    const [first, second] = [usageWith(), usageWith()]
    for (const host of ['news.example', 'news.example']) first.countClick(id, 'person', host)
    await first.flush() // before the flood takes its place
    for (let at = 0; at < 10_000; at++) {
      first.countClick(id, 'person', `first-${at}.example`)
      second.countClick(id, 'person', `second-${at}.example`)
    }
    await Promise.all([first.flush(), second.flush()])
    second.countClick(id, 'person', 'news.example')
    second.countClick(id, 'person', 'late.example')
    await Promise.all([first.close(), second.close()])
    const rows = await db.selectFrom('referrers').select(['host', 'people']).execute()
    expect(rows).toHaveLength(100)
    expect(rows.map(({ host }) => host)).not.toContain('late.example')
    expect((await counted()).map(({ people }) => people)).toEqual([20_004])

    now += 7 * 24 * 60 * 60 * 1000
    const third = usageWith()
    for (let at = 0; at < 150; at++) third.countClick(id, 'person', `third-${at}.example`)
    await third.flush()
    for (const host of ['late.example', 'news.example']) third.countClick(id, 'person', host)
    await third.close()
    const week = db.selectFrom('referrers').select('host').where('day', '=', dayOf(now))
    const hosts = (await week.execute()).map(({ host }) => host)
    expect(hosts).toHaveLength(101)
    expect(hosts).toContain('news.example')
  })
})

test.each([
  { database: 'writes slowly', isStuck: false, transactions: 3, loses: false },
  { database: 'does not answer', isStuck: true, transactions: 1, loses: true },
])(
  'while a database $database, a stop begins $transactions of the last three transactions',
  async ({ isStuck, transactions, loses }) => {
    const begun: (() => void)[] = []
    const write = (() => new Promise<void>((resolve) => begun.push(resolve))) as Database['write']
    const { logger, lines } = recordingLogger()
    /** Each time that a stop waits, the database finishes at most one transaction. */
    const sleep = async (): Promise<void> => {
      await setImmediate()
      if (!isStuck) begun.at(-1)?.()
      await setImmediate()
    }
    const usage = createUsage({ write, logger, now: Date.now, clock: { sleep } })
    for (let link = 0; link < 5_000; link++) usage.countClick(`link-${link}`, 'person')
    await usage.close()
    expect(begun).toHaveLength(transactions)
    expect(lines.some((line) => line.includes('the last clicks might be lost'))).toBe(loses)
  },
)
