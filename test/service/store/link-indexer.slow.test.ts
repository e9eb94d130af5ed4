import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../../src/database/database.ts'
import {
  indexAll,
  indexPending,
  startLinkIndexer,
} from '../../../src/service/store/link-indexer.ts'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { findMatches } from '../../../src/service/store/link-matches.ts'
import { openTempDatabase } from '../../support/databases.ts'
import { addLinks, addOwners, linkRow } from '../../support/rows.ts'

const OWNERS = ['owner-of-some', 'owner-of-others']

async function open(): Promise<Database> {
  const database = await openTempDatabase()
  onTestFinished(() => database.close())
  await addOwners(database, ...OWNERS)
  return database
}

const add = (database: Database, id: string, title: string, owner_id = 'owner-of-some') =>
  addLinks(database, linkRow(id, { title, owner_id, destination_url: 'https://example.com' }))

/** Asks only the index. */
async function find(database: Database, text: string, ownerId?: string): Promise<string[]> {
  const context = { ...database, addresses: createAddresses('https://sho.rt'), now: () => 1 }
  const query = { text, filter: { ownerId }, first: 'oldest', compared: 0 } as const
  const { ids, hasMore } = await findMatches(context, query)
  expect(hasMore).toBe(false)
  return ids
}

async function indexed({ db }: Database): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select rowid as number from search_index order by rowid`.execute(db)
  return rows.map(({ number }) => number)
}

/** Numbers the rows of links without gaps, as a VACUUM can do. */
async function renumber({ db }: Database): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from links order by rowid`.execute(db)
  for (const [at, { id }] of rows.entries()) {
    await sql`update links set rowid = ${at + 1} where id = ${id}`.execute(db)
  }
}

test('does not begin again if the last link is removed, and indexes the next one', async () => {
  const database = await open()
  for (const id of ['a', 'b', 'c']) await add(database, id, 'Spring')
  await sql`update links set deleted_at = 1 where id in ('b', 'c')`.execute(database.db)
  await indexAll(database)
  await sql`insert into search_index (rowid, texts) values (100, 'kept')`.execute(database.db)
  await sql`delete from links where id = 'c'`.execute(database.db)
  await add(database, 'd', 'Summer')
  await indexAll(database)
  expect(await indexed(database)).toEqual([1, 3, 100])
  expect(await find(database, 'summer')).toEqual(['d'])
})

test('runs beside the service, which finds links before and after', async () => {
  const database = await open()
  await add(database, 'a', 'Spring')
  onTestFinished(startLinkIndexer(database, { warn: expect.unreachable }))
  await expect.poll(() => indexed(database)).toEqual([1])
  await add(database, 'b', 'Spring')
  expect(await find(database, 'spring')).toEqual(['a', 'b'])
  await expect.poll(() => indexed(database)).toEqual([1, 2])
})

const WORDS = ['spring', 'summer', 'autumn']

/** What can happen to links, in any order. */
const step = fc.record({
  what: fc.constantFrom('add', 'change', 'delete', 'remove', 'index', 'renumber'),
  title: fc.constantFrom(...WORDS),
  owner: fc.constantFrom(...OWNERS),
  at: fc.nat(9),
  limit: fc.integer({ min: 1, max: 5 }),
})

test('searches find all links and no others, whatever of them is indexed', async () => {
  const database = await open()
  const { db } = database
  let created = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      await sql`delete from click_totals`.execute(db)
      await sql`delete from links`.execute(db)
      const expected = new Map<string, { title: string; owner: string }>()
      const idAt = (at: number) => [...expected.keys()][at % Math.max(1, expected.size)] ?? ''
      for (const { what, title, owner, at, limit } of steps) {
        const id = what === 'add' ? `link${String(created++).padStart(6, '0')}` : idAt(at)
        if (what === 'add') {
          await add(database, id, title, owner)
          expected.set(id, { title, owner })
        } else if (what === 'change') {
          await sql`update links set title = ${title} where id = ${id}`.execute(db)
          const link = expected.get(id)
          if (link) expected.set(id, { ...link, title })
        } else if (what === 'delete') {
          await sql`update links set deleted_at = 1 where id = ${id}`.execute(db)
          expected.delete(id)
        } else if (what === 'remove') {
          await sql`delete from click_totals where link_id = ${id}`.execute(db)
          await sql`delete from links where id = ${id}`.execute(db)
          expected.delete(id)
        } else if (what === 'index') {
          await database.write(indexPending(limit))
        } else {
          await renumber(database)
          await indexAll(database)
        }
      }
      const wanted = (title: string, owner?: string) =>
        [...expected]
          .filter(([, link]) => link.title === title && (owner ?? link.owner) === link.owner)
          .map(([id]) => id)
      for (const title of WORDS) {
        expect(await find(database, title)).toEqual(wanted(title))
        expect(await find(database, title, OWNERS[0])).toEqual(wanted(title, OWNERS[0]))
      }
    }),
    { numRuns: 100 },
  )
})
