import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { LinkClient } from '../../../src/client/link-client.ts'
import { OUR_CREATE_FIELDS } from '../../../src/contract/link-fields.ts'
import { NO_OFFERS, type Offers } from '../../../src/contract/offers.ts'
import { createInFlightTasks } from '../../../src/http/in-flight-tasks.ts'
import { createKnownOffers } from '../../../src/slack/links/known-offers.ts'
import type { Connection, KeptOffers } from '../../../src/workspaces/connection.ts'
import { createFakeClock } from '../../support/platform.ts'

const HOUR_MS = 3_600_000
const WORKSPACE = { id: 'T1' }
const UNKNOWN = { ...NO_OFFERS, isUnknown: true }
const EXPIRY: Offers = { ...NO_OFFERS, fields: OUR_CREATE_FIELDS }

/** A workspace's connection, and a service that answers each read with the next of `answers`. */
function setUp(
  answers: (Offers | undefined | Promise<undefined>)[],
  source: Connection['source'] = 'connected',
  configuredKey?: string,
) {
  const clock = createFakeClock()
  const tasks = createInFlightTasks(pino({ level: 'silent' }))
  const stored: KeptOffers[] = []
  let reads = 0
  const connection: Connection = { apiKey: 'key-1', domains: [], source }
  const keys: string[] = []
  const known = createKnownOffers({
    clock,
    tasks,
    configuredKey,
    linkClient: (key) => {
      keys.push(key)
      const readOffers = async () => {
        reads++
        return answers.shift()
      }
      return { readOffers } as LinkClient
    },
    workspaces: {
      keepOffers: async (_id, _key, offers) => {
        stored.push(offers)
        connection.offers = offers
      },
    },
  })
  return {
    clock,
    connection,
    stored,
    keys,
    drained: () => tasks.drained(),
    reads: () => reads,
    /** What is known; then waits for the read in the background, if there is one. */
    ask: async () => {
      const offers = await known(WORKSPACE, connection)
      await tasks.drained()
      return offers
    },
    soon: () => known(WORKSPACE, connection),
    latest: () => known(WORKSPACE, connection, { latest: true }),
  }
}

test('stores the offers that are read, and reads them once', async () => {
  const { ask, stored, clock, reads } = setUp([EXPIRY])
  expect(await ask()).toMatchObject(EXPIRY)
  expect(stored).toEqual([{ ...EXPIRY, readAt: clock.now() }])
  expect(await ask()).toMatchObject(EXPIRY)
  expect(reads()).toBe(1)
})

test('reads the offers again after a day', async () => {
  const { ask, clock, reads } = setUp([EXPIRY, NO_OFFERS])
  await ask()
  clock.advance(23 * HOUR_MS)
  await ask()
  expect(reads()).toBe(1)
  clock.advance(2 * HOUR_MS)
  expect(await ask()).toMatchObject(EXPIRY)
  expect(await ask()).toMatchObject(NO_OFFERS)
  expect(reads()).toBe(2)
})

test('reads offers again that were stored before the app was started', async () => {
  const { ask, clock, connection, reads } = setUp([NO_OFFERS])
  connection.offers = { ...EXPIRY, readAt: clock.now() - 1 }
  expect(await ask()).toMatchObject(EXPIRY)
  expect(reads()).toBe(1)
  expect(await ask()).toMatchObject(NO_OFFERS)
})

test('keeps the earlier offers if the service can’t be asked, and asks again after five minutes', async () => {
  const { ask, clock, reads } = setUp([EXPIRY, undefined, NO_OFFERS])
  await ask()
  clock.advance(25 * HOUR_MS)
  await ask()
  expect(await ask()).toMatchObject(EXPIRY)
  expect(reads()).toBe(2)
  clock.advance(5 * 60_000)
  await ask()
  expect(reads()).toBe(3)
  expect(await ask()).toMatchObject(NO_OFFERS)
})

test('asks at once after the workspace is connected again, with the same key or another', async () => {
  const { ask, connection, keys } = setUp([EXPIRY, undefined, EXPIRY])
  await ask()
  delete connection.offers
  await ask()
  connection.apiKey = 'key-2'
  await ask()
  expect(await ask()).toMatchObject(EXPIRY)
  expect(keys).toEqual(['key-1', 'key-1', 'key-2'])
})

test('reads the offers to the deployment’s own key at the start', async () => {
  const { ask, drained, keys, reads, stored } = setUp([EXPIRY], 'configured', 'key-1')
  await drained()
  expect(await ask()).toMatchObject(EXPIRY)
  expect(reads()).toBe(1)
  expect(keys).toEqual(['key-1'])
  expect(stored).toEqual([])
})

test('the first request asks again if the service was still starting', async () => {
  const { drained, soon, reads } = setUp([undefined, EXPIRY], 'configured', 'key-1')
  await drained()
  expect(await soon()).toMatchObject(EXPIRY)
  expect(reads()).toBe(2)
})

test.each(['connected', 'configured'] as const)(
  'waits for the first read before a list is drawn: %s',
  async (source) => {
    const { soon, reads } = setUp([EXPIRY], source)
    expect(await soon()).toMatchObject(EXPIRY)
    expect(await soon()).toMatchObject(EXPIRY)
    expect(reads()).toBe(1)
  },
)

test('waits for the first read for a second and a half at most', async () => {
  const { soon, clock } = setUp([new Promise(() => undefined)])
  const [offers] = await Promise.all([soon(), clock.endSleep(1_500)])
  expect(offers).toEqual(UNKNOWN)
})

test('waits for the latest offers if it is asked to, because earlier ones may lack what is new', async () => {
  const { latest, connection } = setUp([EXPIRY])
  connection.offers = { ...NO_OFFERS, readAt: 0 }
  expect(await latest()).toMatchObject(EXPIRY)
})

test('does not wait if the service can’t be asked, or if earlier offers are known', async () => {
  const { soon, clock, connection } = setUp([undefined, new Promise(() => undefined)])
  expect(await soon()).toEqual(UNKNOWN)
  expect(await soon()).toEqual(UNKNOWN)
  connection.offers = { ...EXPIRY, readAt: clock.now() - 25 * HOUR_MS }
  clock.advance(5 * 60_000)
  expect(await soon()).toMatchObject(EXPIRY)
})
