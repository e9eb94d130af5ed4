import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { describeOnEveryDatabase } from '../support/databases.ts'
import { openDatabase } from '../support/open-database.ts'
import { addLinks, addOwners, linkRow, removeLinks } from '../support/rows.ts'
import { makeTempDir } from '../support/temp-dir.ts'

test('SQLite uses a write-ahead log and syncs every commit to disk', async () => {
  const directory = await makeTempDir()
  const database = await openDatabase(`file:${join(directory.path, 'deep', 'down', 'a.db')}`)
  const { db } = database
  const { rows: journal } = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(db)
  const { rows: sync } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db)
  expect({ ...journal[0], ...sync[0] }).toEqual({ journal_mode: 'wal', synchronous: 2 })
  await database.close()
  await directory.remove()
})

test('rejects a DATABASE_URL of an unknown kind', async () => {
  await expect(openDatabase('mysql://db.example.com')).rejects.toThrow(
    'DATABASE_URL must be file:PATH or postgres://…',
  )
})

test('says why PostgreSQL can’t be used, if its server responds', async () => {
  const server = createServer((socket) => socket.on('data', () => socket.write('N')))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  await expect(
    openDatabase(`postgres://u:Secret%401@127.0.0.1:${port}/db?sslmode=verify-full`),
  ).rejects.toThrow(
    'The database in DATABASE_URL can’t be opened: The database is not available: The server does not support SSL connections',
  )
})

describeOnEveryDatabase((given) => {
  test('is not ready if a create would fail', async () => {
    const { database, url } = given
    const other = await openDatabase(url)
    onTestFinished(() => other.close())
    // As a disk without room for another page, or a restored dump that lacks a trigger's table.
    const [breakIt, mend] =
      database.kind === 'sqlite'
        ? ['pragma max_page_count = 1', 'pragma max_page_count = 1000000']
        : ['alter table click_totals rename to lost', 'alter table lost rename to click_totals']
    await other.checkWritable()
    await sql.raw(breakIt).execute(other.db)
    const create = async (id: string) => {
      await addLinks(other, linkRow(id, { title: 'x'.repeat(5_000) }))
    }
    await addOwners(other, 'acme')
    const creates = async () => {
      for (let number = 0; number < 20; number++) await create(`link${number}`)
    }
    await expect(creates()).rejects.toThrow()
    const isReady = () =>
      other.checkWritable().then(
        () => true,
        () => false,
      )
    await expect.poll(isReady).toBe(false)
    await sql.raw(mend).execute(other.db)
    await other.checkWritable()
    await create('last')
    await removeLinks(other)
    expect(await other.db.selectFrom('owners').select('id').execute()).toEqual([{ id: 'acme' }])
    const { rows } = await sql`select * from link_counts where owner_id <> 'acme'`.execute(other.db)
    expect(rows).toEqual([])
  })
})
