import { afterEach, expect, test, vi } from 'vitest'
import { createDeliveryStore, type DeliveryStore } from '../../src/workspaces/deliveries.ts'
import { createKeyring } from '../../src/workspaces/keyring.ts'
import { describeOnEveryDatabase, type TestDatabase } from '../support/databases.ts'

const MINUTE_MS = 60_000

describeOnEveryDatabase((opened: TestDatabase) => {
  const keyring = createKeyring([Buffer.alloc(32, 1)])

  afterEach(async () => {
    vi.useRealTimers()
    await opened.database.db.deleteFrom('deliveries').execute()
  })

  /** Another process of the app. */
  const startProcess = (): DeliveryStore =>
    createDeliveryStore({ database: opened.database, keyring })

  /** Moves the time of all requests back, as if the database's clock had advanced. */
  const pass = async (ms: number): Promise<void> => {
    await opened.database.db
      .updateTable('deliveries')
      .set((is) => ({ alive_at: is('alive_at', '-', ms) }))
      .execute()
  }

  test('lets only one of two processes claim a request, even after it is answered', async () => {
    const [one, other] = [startProcess(), startProcess()]
    const claims = await Promise.all([one.claim('id-1', {}), other.claim('id-1', {})])
    expect(claims.sort()).toEqual([false, true])
    await one.finish('id-1')
    expect(await other.claim('id-1', {})).toBe(false)
  })

  test('lets only one of two claims of the same request in one commit win', async () => {
    const store = startProcess()
    const claims = await Promise.all(['id-11', 'id-11', 'id-12'].map((id) => store.claim(id, {})))
    expect(claims).toEqual([true, false, true])
  })

  test('stores the acknowledgement of a form, even an empty one', async () => {
    const [one, other] = [startProcess(), startProcess()]
    await one.claim('id-2', {})
    expect(await other.acknowledgement('id-2')).toBeUndefined()
    await one.saveAcknowledgement('id-2', undefined)
    expect(await other.acknowledgement('id-2')).toEqual({})
    await one.saveAcknowledgement('id-2', { errors: { a: 'b' } })
    expect(await other.acknowledgement('id-2')).toEqual({ response: { errors: { a: 'b' } } })
  })

  test('hands over the unfinished requests of a silent process, once', async () => {
    const [silent, alive, third] = [startProcess(), startProcess(), startProcess()]
    await silent.claim('id-3', { from: 'silent' })
    await silent.claim('id-4', { from: 'silent' })
    await silent.finish('id-4')
    await alive.claim('id-5', { from: 'alive' })
    await pass(MINUTE_MS)
    await alive.keepAlive(new Set(['id-5']))
    const taken = await Promise.all([alive.takeAbandoned(), third.takeAbandoned()])
    expect(taken.flat()).toEqual([{ id: 'id-3', request: { from: 'silent' } }])
  })

  test('leaves the requests of a live process alone, however far the clocks of two machines are apart', async () => {
    const [one, other] = [startProcess(), startProcess()]
    await one.claim('id-10', {})
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * MINUTE_MS })
    expect(await other.takeAbandoned()).toEqual([])
    vi.setSystemTime(Date.now() - 120 * MINUTE_MS)
    await one.keepAlive(new Set(['id-10']))
    vi.useRealTimers()
    expect(await other.takeAbandoned()).toEqual([])
  })

  test('hands over no request that this process has answered, although that could not be noted', async () => {
    const [one, other] = [startProcess(), startProcess()]
    await one.claim('id-7', {})
    await pass(MINUTE_MS)
    expect(await one.takeAbandoned()).toEqual([])
    await one.keepAlive(new Set())
    await pass(MINUTE_MS)
    expect(await other.takeAbandoned()).toEqual([])
  })

  test('hands over the other requests if one can’t be read anymore', async () => {
    const { database } = opened
    const foreign = createKeyring([Buffer.alloc(32, 2)])
    const ended = createDeliveryStore({ database, keyring: foreign })
    await ended.claim('id-8', { sealed: 'with a key that is gone' })
    await startProcess().claim('id-9', { from: 'ended' })
    await pass(MINUTE_MS)
    const taken = await startProcess().takeAbandoned()
    expect(taken.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
      { id: 'id-8', request: undefined },
      { id: 'id-9', request: { from: 'ended' } },
    ])
  })

  test('keeps no plain text, and deletes answered requests after a quarter of an hour', async () => {
    const { db } = opened.database
    const store = startProcess()
    await store.claim('id-6', { responseUrl: 'https://hooks.slack.com/secret' })
    const find = async () =>
      db.selectFrom('deliveries').selectAll().where('id', '=', 'id-6').executeTakeFirst()
    expect(Buffer.from((await find())?.sealed ?? []).toString('latin1')).not.toContain('hooks')
    await store.finish('id-6')
    expect((await find())?.sealed).toBeNull()
    await pass(16 * MINUTE_MS)
    await store.takeAbandoned()
    expect(await find()).toBeUndefined()
  })
})
