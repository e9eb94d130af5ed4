import { sql } from 'kysely'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase, type Database } from '../../src/database/database.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { createPostgresDatabase, postgresSkipped } from '../support/postgres.ts'
import { startPostgresServer } from '../support/postgres-server.ts'
import { parseMetrics, total } from '../support/scrape.ts'
import { makeTempDir } from '../support/temp-dir.ts'

async function open(url: string) {
  const metrics = createMetrics()
  // Two connections for most queries, and one for long reads.
  const database = await openDatabase(url, { poolSize: 3, metrics })
  onTestFinished(async () => {
    await database.close()
    metrics.close()
  })
  const count = async (name: string, labels?: Record<string, string>): Promise<number> =>
    total(parseMetrics(await metrics.text()), name, labels)
  return { database, count }
}

/** Begins transactions that write and stay open. @returns a function that ends them */
async function holdTransactions({ db }: Database, transactions: number) {
  const { promise: end, resolve } = Promise.withResolvers<undefined>()
  const running: Promise<unknown>[] = []
  for (let at = 0; at < transactions; at++) {
    const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>()
    running.push(
      db.transaction().execute(async () => {
        begin(undefined)
        await end
      }),
    )
    await begun
  }
  return async () => {
    resolve(undefined)
    await Promise.all(running)
  }
}

function testsOn(createUrl: () => Promise<string>, writers: number): void {
  const TIMES = 'backhalf_database_duration_seconds'

  test('measures statements, commits and rollbacks, each once', async () => {
    const { database, count } = await open(await createUrl())
    const work = async () => {
      const counts: Record<string, number> = {}
      for (const kind of ['begin', 'read', 'write', 'commit', 'rollback']) {
        counts[kind] = await count(TIMES, { pool: 'main', work: kind })
      }
      return counts
    }
    const before = await work()
    const { db } = database
    await db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('owners').selectAll().execute()
      await sql`delete from owners where id = 'none'`.execute(transaction)
      await sql`delete from owners where id = 'none'`.execute(transaction)
    })
    await db
      .transaction()
      .execute(() => Promise.reject(new Error('rolled back')))
      .catch(() => undefined)
    const after = await work()
    const difference = Object.entries(after).map(([kind, value]) => [
      kind,
      value - (before[kind] ?? 0),
    ])
    expect(Object.fromEntries(difference)).toEqual({
      begin: 2,
      read: 1,
      write: 2,
      commit: 1,
      rollback: 1,
    })
    await database.longReads.selectFrom('owners').selectAll().execute()
    expect(await count(TIMES, { pool: 'long_reads', work: 'read' })).toBe(1)
  })

  test('says how many writes wait', async () => {
    const { database, count } = await open(await createUrl())
    const waiting = () => count('backhalf_database_waiting', { pool: 'main' })
    expect(await waiting()).toBe(0)
    const release = await holdTransactions(database, writers)
    const waits = database.db.transaction().execute(() => Promise.resolve('done'))
    await vi.waitUntil(async () => (await waiting()) === 1, { timeout: 20_000 })
    await release()
    expect(await waits).toBe('done')
    expect(await waiting()).toBe(0)
  })
}

describe('on SQLite', () => {
  testsOn(async () => {
    const directory = await makeTempDir()
    onTestFinished(() => directory.remove())
    return `file:${join(directory.path, 'test.db')}`
  }, 1)
})

describe.skipIf(postgresSkipped)('on PostgreSQL', () => {
  testsOn(createPostgresDatabase, 2)

  test('says how the connections are used', async () => {
    const { database, count } = await open(await createPostgresDatabase())
    const connections = async (): Promise<Record<string, number>> => ({
      in_use: await count('backhalf_database_connections', { pool: 'main', state: 'in_use' }),
      idle: await count('backhalf_database_connections', { pool: 'main', state: 'idle' }),
      max: await count('backhalf_database_connections_max', { pool: 'main' }),
    })
    const release = await holdTransactions(database, 2)
    expect(await connections()).toEqual({ in_use: 2, idle: 0, max: 2 })
    await release()
    expect(await connections()).toEqual({ in_use: 0, idle: 2, max: 2 })
    expect(
      await count('backhalf_database_duration_seconds', { pool: 'main', work: 'connect' }),
    ).toBeGreaterThan(1)
  })

  test('counts queries that fail because PostgreSQL is away', async () => {
    const server = await startPostgresServer()
    onTestFinished(() => server.stop())
    const { database, count } = await open(`${server.url}/postgres`)
    expect(await count('backhalf_database_unavailable_total')).toBe(0)
    await server.crash()
    await expect(sql`select 1`.execute(database.db)).rejects.toThrow('not available')
    expect(await count('backhalf_database_unavailable_total', { pool: 'main' })).toBe(1)
  })
})
