import { afterEach, expect, test } from 'vitest'
import { createDeliveryStore, type DeliveryStore } from '../../src/workspaces/deliveries.ts'
import { describeOnDatabase, type TestDatabase } from '../support/databases.ts'

const MINUTE_MS = 60_000

describeOnDatabase((opened: TestDatabase) => {
  afterEach(async () => {
    await opened.database.db.deleteFrom('deliveries').execute()
  })

  /** Another process of the app. */
  const startProcess = (): DeliveryStore => createDeliveryStore(opened)

  /** Moves the time of all claims back, as if the database's clock had advanced. */
  const pass = async (ms: number): Promise<void> => {
    await opened.database.db
      .updateTable('deliveries')
      .set((is) => ({ alive_at: is('alive_at', '-', ms) }))
      .execute()
  }

  test('lets only one of two processes claim work', async () => {
    const [one, other] = [startProcess(), startProcess()]
    const claims = await Promise.all([one.claim('share'), other.claim('share')])
    expect(claims.sort()).toEqual([false, true])
    expect(await one.claim('share')).toBe(false)
  })

  test('lets another process claim work that was given up, but not what others claimed', async () => {
    const [one, other] = [startProcess(), startProcess()]
    await one.claim('share')
    await other.release('share')
    expect(await other.claim('share')).toBe(false)
    await one.release('share')
    expect(await other.claim('share')).toBe(true)
  })

  test('keeps a hash of the key, and forgets a claim after a quarter of an hour', async () => {
    const store = startProcess()
    await store.claim('share T1 U1')
    await pass(14 * MINUTE_MS)
    expect(await store.claim('share T1 U1')).toBe(false)
    await pass(2 * MINUTE_MS)
    await store.claim('another')
    const rows = await opened.database.db.selectFrom('deliveries').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('another')
  })
})
