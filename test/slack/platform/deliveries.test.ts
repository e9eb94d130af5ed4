import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/database/database.ts'
import {
  createDeliveries,
  type Deliveries,
  type UnfinishedRequest,
} from '../../../src/slack/platform/deliveries.ts'
import { createDeliveryStore, type DeliveryStore } from '../../../src/workspaces/deliveries.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'
import { openTempDatabase } from '../../support/databases.ts'
import { createFakeClock } from '../../support/platform.ts'

let database: Database
beforeAll(async () => {
  database = await openTempDatabase()
})
afterAll(() => database.close())

const logger = pino({ level: 'silent' })
const clock = createFakeClock()

function createStore(secret = 1): DeliveryStore {
  const keyring = createKeyring([Buffer.alloc(32, secret)])
  return createDeliveryStore({ database, keyring })
}

const startProcess = (store: DeliveryStore): Deliveries =>
  createDeliveries({ store, clock, logger })

const command = (trigger: string) => ({
  body: { command: '/shorten', trigger_id: trigger, user_id: 'U1', team_id: 'T1' },
  context: { teamId: 'T1', enterpriseId: undefined, isEnterpriseInstall: false },
  ack: async () => undefined,
})

/** Moves the time of all requests back by a minute, as if the database's clock had advanced. */
const passMinute = async (): Promise<void> => {
  await database.db
    .updateTable('deliveries')
    .set((is) => ({ alive_at: is('alive_at', '-', 60_000) }))
    .execute()
}

/** Which users a process tells that their request was not finished. It looks once. */
async function toldBy(store: DeliveryStore): Promise<string[]> {
  const told: string[] = []
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const looked: DeliveryStore = {
    ...store,
    // After the last request that was taken over, or after none.
    takeAbandoned: async () => {
      const taken = await store.takeAbandoned()
      if (taken.length === 0) resolve(undefined)
      left = taken.length
      return taken
    },
    finish: async (id) => {
      await store.finish(id)
      left -= 1
      if (left === 0) resolve(undefined)
    },
  }
  let left = 0
  const stop = startProcess(looked).watch(async ({ target }: UnfinishedRequest) => {
    told.push(target.userId)
  })
  await promise
  stop()
  return told
}

test('does not tell a user who got an answer that the request was not finished', async () => {
  const store = createStore()
  const databaseAway = async (): Promise<never> => Promise.reject(new Error('away'))
  await startProcess({ ...store, finish: databaseAway }).once(command('1'), async () => undefined)
  await passMinute()
  // The process looks after its own requests, before others look for those of processes that ended.
  expect(await toldBy(store)).toEqual([])
  await passMinute()
  expect(await toldBy(createStore())).toEqual([])
})

test('tells the others if one unfinished request can’t be read', async () => {
  await createStore(2).claim('unreadable', {})
  const ended = startProcess(createStore())
  const { promise: never } = Promise.withResolvers<undefined>()
  const { promise: claimed, resolve } = Promise.withResolvers<undefined>()
  void ended.once(command('2'), async () => {
    resolve(undefined)
    await never
  })
  await claimed
  await passMinute()
  expect(await toldBy(createStore())).toEqual(['U1'])
})

test('works on a request once, also while the database is away', async () => {
  const away = async (): Promise<never> => Promise.reject(new Error('away'))
  const deliveries = startProcess({ ...createStore(), claim: away, finish: away })
  let times = 0
  const work = async (): Promise<void> => void (times += 1)
  await Promise.all([deliveries.once(command('3'), work), deliveries.once(command('3'), work)])
  expect(times).toBe(1)
})

describe('work that several requests ask for', () => {
  test('is done by one of two processes, and can be done again only after a failure', async () => {
    const [one, other] = [startProcess(createStore()), startProcess(createStore())]
    const started = Promise.withResolvers<undefined>()
    const { promise, reject } = Promise.withResolvers<string>()
    const failing = one.doOnce('share', () => {
      started.resolve(undefined)
      return promise
    })
    await started.promise
    expect(await one.doOnce('share', never)).toEqual({ state: 'under_way' })
    expect(await other.doOnce('share', never)).toEqual({ state: 'under_way' })
    reject(new Error('Slack is down'))
    await expect(failing).rejects.toThrow('Slack is down')
    expect(await other.doOnce('share', async () => 'shared')).toEqual({
      state: 'done',
      value: 'shared',
    })
    expect(await one.doOnce('share', never)).toEqual({ state: 'done_before' })
  })

  test('can be done by another process if the first one ended', async () => {
    const started = Promise.withResolvers<undefined>()
    void startProcess(createStore()).doOnce('half done', async () => {
      started.resolve(undefined)
      return Promise.withResolvers<string>().promise
    })
    await started.promise
    const other = startProcess(createStore())
    expect(await other.doOnce('half done', never)).toEqual({ state: 'under_way' })
    for (let minute = 0; minute < 6; minute++) await passMinute()
    expect((await other.doOnce('half done', async () => 'now')).state).toBe('done')
  })

  test('is also done while the database is away', async () => {
    const away = async (): Promise<never> => Promise.reject(new Error('away'))
    const store = { ...createStore(), claimWork: away, saveAcknowledgement: away }
    const outcome = await startProcess(store).doOnce('in an outage', async () => 'shared')
    expect(outcome).toEqual({ state: 'done', value: 'shared' })
  })
})

/** Work that must not be done. */
async function never(): Promise<string> {
  throw new Error('this must not be done')
}
