import { join } from 'node:path'
import type pg from 'pg'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Database } from '../../src/database/database.ts'
import type { LinkWatcher } from '../../src/database/watch-sqlite.ts'
import { watchPostgres } from '../../src/database/watch-postgres.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'
import { createPostgresDatabase, postgresSkipped, takeAllConnections } from '../support/postgres.ts'
import { startPostgresServer, type PostgresServer } from '../support/postgres-server.ts'
import { addLinks, addOwners, linkRow } from '../support/rows.ts'
import { makeTempDir } from '../support/temp-dir.ts'

const PATIENCE = { timeout: 20_000 }

/** Records the changes that it is told. */
function recordingWatcher() {
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
  return { told, watcher }
}

async function addLink(database: Database, id: string): Promise<void> {
  await addOwners(database, 'acme')
  await addLinks(database, linkRow(id))
}

async function change({ db }: Database, ids: readonly string[]): Promise<void> {
  await db
    .insertInto('link_history')
    .values(ids.map((id) => ({ link_id: id, at: 1, made_by: 'test', changes: '{}' })))
    .execute()
}

describeOnEveryDatabase((opened) => {
  async function watch(database: Database = opened.database) {
    const { told, watcher } = recordingWatcher()
    database.watchLinks(watcher)
    return told
  }
  async function openOther(): Promise<Database> {
    const other = await openDatabase(opened.url)
    onTestFinished(() => other.close())
    return other
  }

  test('tells this process and others which links have changed', async () => {
    await addLink(opened.database, 'one')
    await addLink(opened.database, 'two')
    const told = [await watch(), await watch(await openOther())]
    // A watcher of PostgreSQL hears nothing until it is connected.
    if (opened.database.kind === 'postgres') {
      await expect.poll(() => told.map(({ missed }) => missed), PATIENCE).toEqual([1, 1])
    }
    await change(opened.database, ['one', 'two'])
    await expect
      .poll(() => told.map(({ changed }) => changed.toSorted()), PATIENCE)
      .toEqual([
        ['one', 'two'],
        ['one', 'two'],
      ])
    await change(opened.database, ['two'])
    await expect
      .poll(() => told.map(({ changed }) => changed.at(-1)), PATIENCE)
      .toEqual(['two', 'two'])
  })

  test('reports nothing once the database is closed', async () => {
    await addLink(opened.database, 'late')
    const closed = await openDatabase(opened.url)
    const [told, after] = [await watch(closed), await watch(await openOther())]
    await closed.close()
    const before = structuredClone(told)
    await expect
      .poll(async () => {
        await change(opened.database, ['late'])
        return after.changed
      }, PATIENCE)
      .toContain('late')
    expect(told).toEqual(before)
  })
})

describe('on SQLite', () => {
  let database: Database
  let told: ReturnType<typeof recordingWatcher>['told']

  beforeEach(async () => {
    const directory = await makeTempDir()
    database = await openDatabase(`file:${join(directory.path, 'test.db')}`)
    await addLink(database, 'one')
    const recording = recordingWatcher()
    told = recording.told
    database.watchLinks(recording.watcher)
    return async () => {
      await database.close()
      await directory.remove()
    }
  })

  test('says that any link may have changed if too many have', async () => {
    await change(
      database,
      Array.from({ length: 1_001 }, () => 'one'),
    )
    await expect.poll(() => told, PATIENCE).toEqual({ changed: [], missed: 1, lost: 0 })
    await change(database, ['one'])
    await expect.poll(() => told.changed, PATIENCE).toEqual(['one'])
  })

  test('says that changes can’t be seen, and once they can, that any link may have changed', async () => {
    await sql`alter table link_history rename to away`.execute(database.db)
    await expect.poll(() => told, PATIENCE).toEqual({ changed: [], missed: 0, lost: 1 })
    await sql`alter table away rename to link_history`.execute(database.db)
    await expect.poll(() => told, PATIENCE).toEqual({ changed: [], missed: 1, lost: 1 })
  })
})

describe.skipIf(postgresSkipped)('on PostgreSQL', () => {
  let server: PostgresServer
  let database: Database

  beforeAll(async () => {
    server = await startPostgresServer({ max_connections: '6' })
    database = await openDatabase(`${server.url}/postgres`, { poolSize: 2 })
    return async () => {
      await database.close()
      await server.stop()
    }
  })

  function watch(db = database.db) {
    const { told, watcher } = recordingWatcher()
    const watching = watchPostgres(`${server.url}/postgres`, db, watcher)
    onTestFinished(() => watching.close())
    return told
  }

  async function listeners(): Promise<number[]> {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where query = 'select 1' or query like 'listen%'`.execute(
      database.db,
    )
    return rows.map(({ pid }) => pid)
  }

  test('says that changes were missed when a server that was shut down is back', async () => {
    const told = watch()
    await expect.poll(() => told.missed, PATIENCE).toBe(1)
    await server.crash()
    await expect.poll(() => told.lost, PATIENCE).toBe(1)
    await server.start()
    await expect.poll(() => told.missed, PATIENCE).toBeGreaterThan(1)
    expect(told).toMatchObject({ changed: [], lost: 1 })
  })

  test('notices a connection that the server has ended', async () => {
    const told = watch()
    await expect.poll(() => told.missed, PATIENCE).toBe(1)
    await expect
      .poll(async () => {
        for (const pid of await listeners()) {
          await sql`select pg_terminate_backend(${pid})`.execute(database.db)
        }
        return told.lost
      }, PATIENCE)
      .toBeGreaterThan(0)
    await expect.poll(() => told.missed, PATIENCE).toBeGreaterThan(1)
  })

  test('notices after a failover that it still listens to the old server', async () => {
    const other = await openDatabase(await createPostgresDatabase())
    onTestFinished(() => other.close())
    const told = watch(other.db)
    await expect.poll(() => told.lost, PATIENCE).toBe(1)
    const before = told.missed
    await expect.poll(() => told.missed, PATIENCE).toBeGreaterThan(before + 2)
  })

  test.each([
    { others: 'work', areClosed: false, missed: 'again and again' },
    { others: 'fail', areClosed: true, missed: 'never' },
  ])(
    'if the server has no connection left while others $others, any link may have changed: $missed',
    async ({ areClosed }) => {
      const own = await openDatabase(`${server.url}/postgres`, { poolSize: 2 })
      onTestFinished(() => own.close())
      if (areClosed) await own.close()
      const others: pg.Client[] = []
      onTestFinished(async () => {
        await Promise.all(others.map((other) => other.end()))
      })
      await takeAllConnections(`${server.url}/postgres`, others)
      const told = watch(own.db)
      await expect.poll(() => told.lost, PATIENCE).toBe(1)
      if (!areClosed) await expect.poll(() => told.missed, PATIENCE).toBeGreaterThan(2)
      await others.pop()?.end()
      const before = told.missed
      await expect.poll(() => told.missed, PATIENCE).toBeGreaterThan(before)
      if (areClosed) expect(told.missed).toBe(1)
    },
  )
})
