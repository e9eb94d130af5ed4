import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { postgresDialect } from '../../src/database/postgres.ts'
import { transact } from '../../src/database/postgres-writer.ts'
import { openDatabase } from '../support/open-database.ts'
import { createPostgresDatabase, MIGRATED, postgresSkipped } from '../support/postgres.ts'
import { addOwners } from '../support/rows.ts'

const postgresTest = test.skipIf(postgresSkipped)

postgresTest('PostgreSQL: two transactions in a deadlock both succeed', async () => {
  const database = await openDatabase(await createPostgresDatabase(MIGRATED))
  onTestFinished(() => database.close())
  const { db } = database
  await addOwners(database, 'a', 'b')
  await db.updateTable('owners').set({ max_links: 0 }).execute()
  let tries = 0
  let arrived = 0
  const bothArrived = Promise.withResolvers<undefined>()
  /** Locks one owner, waits until the other transaction has locked the other, and then wants both. */
  const raise = (first: string, second: string) =>
    transact(db, async (transaction) => {
      tries++
      for (const id of [first, second]) {
        await transaction
          .updateTable('owners')
          .set((row) => ({ max_links: row('max_links', '+', 1) }))
          .where('id', '=', id)
          .execute()
        if (++arrived === 2) bothArrived.resolve(undefined)
        await bothArrived.promise
      }
    })
  await Promise.all([raise('a', 'b'), raise('b', 'a')])
  const rows = await db.selectFrom('owners').select(['id', 'max_links']).orderBy('id').execute()
  expect(rows).toEqual([
    { id: 'a', max_links: 2 },
    { id: 'b', max_links: 2 },
  ])
  expect(tries).toBeGreaterThan(2)
})

postgresTest(
  'PostgreSQL: a connection that reports read-only is replaced by a new one',
  async () => {
    const limits = { maxConnections: 1, connectMs: 10_000, statementMs: 10_000 }
    const dialect = postgresDialect(await createPostgresDatabase(), limits)
    const db = new Kysely<never>({ dialect })
    onTestFinished(() => db.destroy())
    const write = () => sql`create table written (at int)`.execute(db)
    await sql`set default_transaction_read_only = on`.execute(db)
    await expect(write()).rejects.toMatchObject({
      message: 'The database is not available: it is read-only',
      mayHaveCommitted: false,
    })
    await write()
  },
)
