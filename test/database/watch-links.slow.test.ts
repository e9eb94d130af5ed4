import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import type { LinkWatcher } from '../../src/database/watch-links.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'
import { openDatabase } from '../support/open-database.ts'
import { createPostgresDatabase, MIGRATED, postgresSkipped } from '../support/postgres.ts'
import { addLinks, addOwners, insert, linkRow, removeLinks } from '../support/rows.ts'

/** Records the changes that it is told, once the database is being watched. */
async function watch(database: Database) {
  const told = { changed: [] as string[], missed: 0, lost: 0 }
  const watcher: LinkWatcher = {
    changed: (ids) => void told.changed.push(...ids),
    missed: () => {
      told.missed++
    },
    lost: () => {
      told.lost++
    },
  }
  database.watchLinks(watcher)
  await expect.poll(() => told.missed).toBe(1)
  return told
}

async function addTwoLinks(database: Database): Promise<void> {
  await addOwners(database, 'acme')
  await addLinks(database, linkRow('one'), linkRow('two'))
}

const change = (database: Pick<Database, 'db'>, ...ids: readonly string[]) => {
  const rows = ids.map((id) => ({ link_id: id, at: 1, made_by: 'test', changes: '{}' }))
  return insert(database, 'link_history', ...rows)
}

async function open(url: string): Promise<Database> {
  const database = await openDatabase(url)
  onTestFinished(() => database.close())
  return database
}

describeOnEveryDatabase((given) => {
  beforeEach(async () => {
    await removeLinks(given.database)
    await addTwoLinks(given.database)
  })

  test('tells this process and others which links have changed', async () => {
    const told = [await watch(given.database), await watch(await open(given.url))]
    const changed = () => told.map((each) => each.changed)
    await change(given.database, 'one', 'two')
    await expect.poll(changed).toEqual(Array(2).fill(['one', 'two']))
    await change(given.database, 'two')
    await expect.poll(changed).toEqual(Array(2).fill(['one', 'two', 'two']))
  })

  test('reports nothing once the database is closed', async () => {
    const closed = await openDatabase(given.url)
    const [told, after] = [await watch(closed), await watch(await open(given.url))]
    await closed.close()
    const before = structuredClone(told)
    await change(given.database, 'two')
    await expect.poll(() => after.changed).toContain('two')
    expect(told).toEqual(before)
  })

  test('says that changes can’t be seen, and reports them once they can', async () => {
    await change(given.database, 'one')
    const database = await open(given.url)
    const told = await watch(database)
    await sql`alter table link_history rename to away`.execute(given.database.db)
    await expect.poll(() => told.lost).toBe(1)
    await sql`insert into away (link_id, at, made_by, changes)
      values ('two', 1, 'test', '{}')`.execute(given.database.db)
    await sql`alter table away rename to link_history`.execute(given.database.db)
    await expect.poll(() => told.changed).toContain('two')
    expect(told).toMatchObject({ missed: 1, lost: 1 })
  })

  test.each(['delete from link_history', `update link_history set link_id = 'two'`])(
    'says that any link can have changed if the history has become another one: %s',
    async (replace) => {
      await change(given.database, 'one')
      const told = await watch(given.database)
      await sql.raw(replace).execute(given.database.db)
      await expect.poll(() => told.missed).toBe(2)
      await change(given.database, 'one')
      await expect.poll(() => told.changed.at(-1)).toBe('one')
    },
  )
})

test.skipIf(postgresSkipped)(
  'on PostgreSQL, sees changes that were committed later than newer ones, also among many others',
  async () => {
    const database = await open(await createPostgresDatabase(MIGRATED))
    await addTwoLinks(database)
    // One transaction began before the watcher, and one after it.
    const early = await database.db.startTransaction().execute()
    await change({ db: early }, 'one')
    await change(database, 'two')
    const told = await watch(database)
    const late = await database.db.startTransaction().execute()
    await change({ db: late }, 'one')
    for (let i = 0; i < 4; i++) await change({ db: late }, ...Array<string>(250).fill('two'))
    await change(database, 'two')
    await expect.poll(() => told.changed).toEqual(['two'])
    await early.commit().execute()
    await expect.poll(() => told.changed).toEqual(['two', 'one'])
    await late.commit().execute()
    const seen = (id: string) => told.changed.filter((changed) => changed === id).length
    await expect.poll(() => [seen('one'), seen('two')]).toEqual([2, 1_001])
  },
)
