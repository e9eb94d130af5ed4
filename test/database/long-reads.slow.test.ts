import { readdir } from 'node:fs/promises'
import { getPriority, platform } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { DatabaseUnavailableError } from '../../src/database/errors.ts'
import { longReadsDialect } from '../../src/database/long-reads.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'
import { openDatabase } from '../support/open-database.ts'
import { makeTempDir } from '../support/temp-dir.ts'

/** Counts to a number, which takes SQLite about a second per five million. */
const countTo = (number: number) =>
  sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${number})
      select count(*) as counted from numbers`

async function openLongReads(limits: { timeoutMs: number; maxWaiting: number }) {
  const directory = await makeTempDir()
  const path = join(directory.path, 'a.db')
  const database = await openDatabase(`file:${path}`)
  const reads = new Kysely<never>({ dialect: longReadsDialect(path, limits) })
  return {
    reads,
    async [Symbol.asyncDispose]() {
      await reads.destroy()
      await database.close()
      await directory.remove()
    },
  }
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
    await db.insertInto('workspace_connections').values(row).execute()
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
  await using opened = await openLongReads({ timeoutMs: 60_000, maxWaiting: 10 })
  let isDone = false
  const read = countTo(1_500_000)
    .execute(opened.reads)
    .then(() => (isDone = true))
  for (let turns = 0; turns < 5; turns++) await nextTurn()
  expect(isDone).toBe(false)
  await read
})

test('SQLite: a read that takes too long fails, and later reads succeed', async () => {
  await using opened = await openLongReads({ timeoutMs: 200, maxWaiting: 10 })
  const tooLong = countTo(5_000_000).execute(opened.reads)
  await expect(tooLong).rejects.toThrow(DatabaseUnavailableError)
  const later = expect.poll(async () => (await countTo(10).execute(opened.reads)).rows)
  await later.toEqual([{ counted: 10 }])
})

test('SQLite: reads fail at once if too many wait', async () => {
  await using opened = await openLongReads({ timeoutMs: 60_000, maxWaiting: 2 })
  const reads = [1, 2, 3, 4].map((number) => countTo(number).execute(opened.reads))
  const outcomes = await Promise.allSettled(reads)
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'fulfilled'],
    'rejected',
  ])
  expect(outcomes[3]).toMatchObject({ reason: expect.any(DatabaseUnavailableError) as unknown })
})

test('SQLite: long reads can’t write', async () => {
  await using opened = await openLongReads({ timeoutMs: 60_000, maxWaiting: 2 })
  await expect(sql`delete from domains`.execute(opened.reads)).rejects.toThrow('read-only')
})

test.runIf(platform() === 'linux')(
  'SQLite: only the thread of long reads gets a lower priority',
  async () => {
    const priority = getPriority()
    const lowered = async () => {
      const threads = (await readdir('/proc/self/task')).map(Number)
      return threads.filter((thread) => getPriority(thread) > priority).length
    }
    await using opened = await openLongReads({ timeoutMs: 60_000, maxWaiting: 2 })
    const before = await lowered()
    await countTo(1).execute(opened.reads)
    expect(await lowered()).toBe(before + 1)
    expect(getPriority()).toBe(priority)
  },
)
