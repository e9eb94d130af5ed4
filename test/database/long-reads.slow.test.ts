import { readdir } from 'node:fs/promises'
import { getPriority, platform } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { DatabaseUnavailableError } from '../../src/database/errors.ts'
import { longReadsDialect } from '../../src/database/long-reads.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'
import { withDirectory } from '../support/fixtures.ts'
import { openDatabase } from '../support/open-database.ts'
import { insert } from '../support/rows.ts'

/** Counts to a number, which takes SQLite about a second per five million. */
const countTo = (number: number) =>
  sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${number})
      select count(*) as counted from numbers`

const { test, at } = withDirectory()

async function openLongReads({ timeoutMs = 60_000, maxWaiting = 10 } = {}) {
  const database = await openDatabase(`file:${at('a.db')}`)
  const dialect = longReadsDialect(at('a.db'), { timeoutMs, maxWaiting })
  const reads = new Kysely<never>({ dialect })
  onTestFinished(async () => {
    await reads.destroy()
    await database.close()
  })
  return reads
}

describeOnEveryDatabase((given) => {
  test('short and long reads see what was committed: times as numbers, bytes as they were written', async () => {
    const { db, longReads } = given.database
    const row = {
      workspace_id: 'T1',
      sealed: Buffer.from([0, 255, 10]),
      connected_by: null,
      connected_at: 1_900_000_000_000,
      key_notice_after: null,
    }
    await insert(given.database, 'workspace_connections', row)
    for (const reader of [db, longReads]) {
      const query = reader.selectFrom('workspace_connections').selectAll()
      const read = await query.executeTakeFirstOrThrow()
      expect({ ...read, sealed: Buffer.from(read.sealed) }).toEqual(row)
    }
  })

  test('an invalid long read fails, and the next one succeeds', async () => {
    const { longReads } = given.database
    await expect(sql`select * from nothing_here`.execute(longReads)).rejects.toThrow('nothing_here')
    const domains = await longReads.selectFrom('domains').select('id').execute()
    expect(domains).toEqual([{ id: 'default' }])
  })
})

test('SQLite: the event loop turns while a long read runs', async () => {
  const reads = await openLongReads()
  let isDone = false
  const read = countTo(1_500_000)
    .execute(reads)
    .then(() => (isDone = true))
  for (let turns = 0; turns < 5; turns++) await nextTurn()
  expect(isDone).toBe(false)
  await read
})

test('SQLite: a read that takes too long fails, and later reads succeed', async () => {
  // The count ends only after four seconds, because a thread can't end within a statement.
  const reads = await openLongReads({ timeoutMs: 1_000 })
  await expect(countTo(20_000_000).execute(reads)).rejects.toThrow(DatabaseUnavailableError)
  const later = expect.poll(async () => (await countTo(10).execute(reads)).rows)
  await later.toEqual([{ counted: 10 }])
})

test('SQLite: reads fail at once if too many wait', async () => {
  const reads = await openLongReads({ maxWaiting: 2 })
  const counts = [1, 2, 3, 4].map((number) => countTo(number).execute(reads))
  await expect(counts[3]).rejects.toThrow(DatabaseUnavailableError)
  await Promise.all(counts.slice(0, 3))
})

test('SQLite: long reads can’t write', async () => {
  const reads = await openLongReads()
  await expect(sql`delete from domains`.execute(reads)).rejects.toThrow('read-only')
})

test.runIf(platform() === 'linux')(
  'SQLite: only the thread of long reads gets a lower priority',
  async () => {
    const priority = getPriority()
    const lowered = async () => {
      const threads = (await readdir('/proc/self/task')).map(Number)
      return threads.filter((thread) => getPriority(thread) > priority).length
    }
    const reads = await openLongReads()
    const before = await lowered()
    await countTo(1).execute(reads)
    expect(await lowered()).toBe(before + 1)
    expect(getPriority()).toBe(priority)
  },
)
