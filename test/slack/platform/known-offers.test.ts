import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { LinkClient } from '../../../src/client/link-client.ts'
import { NO_OFFERS, type Offers } from '../../../src/contract/offers.ts'
import { createInFlightTasks } from '../../../src/http/in-flight-tasks.ts'
import { createKnownOffers } from '../../../src/slack/platform/known-offers.ts'
import type { Connection, KeptOffers } from '../../../src/workspaces/connection.ts'
import { createFakeClock } from '../../support/platform.ts'

const HOUR_MS = 3_600_000
const WORKSPACE = { id: 'T1' }
const EXPIRY: Offers = { ...NO_OFFERS, expiry: true }

/** A workspace's connection, and a service that answers each read with the next of `answers`. */
function setUp(answers: (Offers | undefined)[], source: Connection['source'] = 'connected') {
  const clock = createFakeClock()
  const tasks = createInFlightTasks(pino({ level: 'silent' }))
  const stored: KeptOffers[] = []
  let reads = 0
  const connection: Connection = { apiKey: 'key-1', domains: [], source }
  const known = createKnownOffers({
    clock,
    tasks,
    linkClient: () => {
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
    reads: () => reads,
    /** What is known now; then waits for the read in the background, if there is one. */
    ask: async () => {
      const offers = known(WORKSPACE, connection)
      await tasks.drained()
      return offers
    },
  }
}

test('offers nothing until the offers are read, and waits for no service', async () => {
  const { ask, stored, clock, reads } = setUp([EXPIRY])
  expect(await ask()).toEqual(NO_OFFERS)
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

test('remembers the offers to the deployment’s own key without storing them', async () => {
  const { ask, stored, reads } = setUp([EXPIRY], 'configured')
  await ask()
  expect(await ask()).toMatchObject(EXPIRY)
  expect(stored).toEqual([])
  expect(reads()).toBe(1)
})
