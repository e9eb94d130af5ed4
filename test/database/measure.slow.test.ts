import { sql } from 'kysely'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { withDirectory } from '../support/fixtures.ts'
import { openDatabase } from '../support/open-database.ts'
import { createPostgresDatabase, postgresSkipped } from '../support/postgres.ts'
import { startPostgresProxy } from '../support/postgres-proxy.ts'
import { parseMetrics, total } from '../support/scrape.ts'
import { addAccountAndFail, addAccounts, TEST_WRITER_THREADS } from '../support/writes.ts'

const { test, at } = withDirectory()

async function open(url: string) {
  const metrics = createMetrics()
  // Two connections for most queries, and one for long reads.
  const database = await openDatabase(url, { poolSize: 3, metrics, threads: TEST_WRITER_THREADS })
  onTestFinished(async () => {
    await database.close()
    metrics.close()
  })
  const count = async (name: string, labels?: Record<string, string>): Promise<number> =>
    total(parseMetrics(await metrics.text()), name, labels)
  return { database, count }
}

const TIMES = 'backhalf_database_duration_seconds'

/** How much of each work is measured while a task runs. */
async function measured({ count }: Awaited<ReturnType<typeof open>>, task: () => Promise<unknown>) {
  const kinds = ['begin', 'read', 'write', 'commit', 'rollback']
  const counts = () => Promise.all(kinds.map((work) => count(TIMES, { pool: 'main', work })))
  const before = await counts()
  await task()
  const after = await counts()
  return Object.fromEntries(kinds.map((kind, at) => [kind, (after[at] ?? 0) - (before[at] ?? 0)]))
}

/** A read, a statement, two writes of which one fails, and a long read. */
async function work({ db, longReads, write }: Database) {
  await db.selectFrom('owners').selectAll().execute()
  await sql`delete from owners where id = 'none'`.execute(db)
  await write(addAccounts('ana'))
  await write(addAccountAndFail('ben')).catch(() => undefined)
  await longReads.selectFrom('owners').selectAll().execute()
}

describe('on SQLite', () => {
  test('measures reads, writes, and how long their commits take', async () => {
    const opened = await open(`file:${at('test.db')}`)
    const counts = await measured(opened, () => work(opened.database))
    expect(counts).toEqual({ begin: 2, read: 1, write: 3, commit: 2, rollback: 0 })
    expect(await opened.count(TIMES, { pool: 'long_reads', work: 'read' })).toBe(1)
  })

  test('says how many writes share a commit, and how many wait', async () => {
    const { database, count } = await open(`file:${at('test.db')}`)
    const waiting = () => count('backhalf_database_waiting', { pool: 'main' })
    const commits = () => count('backhalf_database_commit_writes')
    const before = await commits()
    const other = new DatabaseSync(at('test.db'))
    onTestFinished(() => other.close())
    other.exec('begin immediate')
    const first = database.write(addAccounts('ana'))
    await expect.poll(waiting).toBe(0)
    const waits = ['ben', 'cleo'].map((id) => database.write(addAccounts(id)))
    expect(await waiting()).toBe(2)
    other.exec('rollback')
    await Promise.all([first, ...waits])
    expect(await waiting()).toBe(0)
    expect((await commits()) - before).toBe(2)
  })
})

describe.skipIf(postgresSkipped)('on PostgreSQL', () => {
  /** Begins transactions that stay open. @returns a function that ends them */
  async function holdTransactions({ db }: Database, transactions: number) {
    const begin = async () => db.startTransaction().execute()
    const open = await Promise.all(Array.from({ length: transactions }, begin))
    return () => Promise.all(open.map((transaction) => transaction.rollback().execute()))
  }

  test('measures statements, commits and rollbacks, each once', async () => {
    const opened = await open(await createPostgresDatabase())
    const counts = await measured(opened, () => work(opened.database))
    // A write of accounts is an insert and a read.
    expect(counts).toEqual({ begin: 2, read: 3, write: 3, commit: 1, rollback: 1 })
    expect(await opened.count(TIMES, { pool: 'long_reads', work: 'read' })).toBe(1)
  })

  test('says how the connections are used, and how many queries wait for one', async () => {
    const { database, count } = await open(await createPostgresDatabase())
    const of = (what: string, labels = {}) =>
      count(`backhalf_database_${what}`, { pool: 'main', ...labels })
    const connections = async () => ({
      in_use: await of('connections', { state: 'in_use' }),
      idle: await of('connections', { state: 'idle' }),
      max: await of('connections_max'),
      waiting: await of('waiting'),
    })
    const release = await holdTransactions(database, 2)
    expect(await connections()).toEqual({ in_use: 2, idle: 0, max: 2, waiting: 0 })
    const waits = database.write(addAccounts('ana'))
    await expect.poll(connections).toMatchObject({ waiting: 1 })
    await release()
    await waits
    expect(await connections()).toEqual({ in_use: 0, idle: 2, max: 2, waiting: 0 })
    expect(await count(TIMES, { pool: 'main', work: 'connect' })).toBeGreaterThan(1)
  })

  test('counts queries that fail because PostgreSQL is unavailable', async () => {
    const proxy = await startPostgresProxy(await createPostgresDatabase())
    const { database, count } = await open(proxy.url)
    expect(await count('backhalf_database_unavailable_total')).toBe(0)
    proxy.shut()
    await expect(sql`select 1`.execute(database.db)).rejects.toThrow('not available')
    expect(await count('backhalf_database_unavailable_total', { pool: 'main' })).toBe(1)
  })
})
