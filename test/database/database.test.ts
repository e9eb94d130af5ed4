import { createServer } from 'node:net'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { describeOnEveryDatabase } from '../support/databases.ts'
import { withDirectory } from '../support/fixtures.ts'
import { listenOnLoopback } from '../support/free-port.ts'
import { openDatabase } from '../support/open-database.ts'
import { addLinks, addOwners, linkRow, removeLinks } from '../support/rows.ts'

const { test, at } = withDirectory()

test('SQLite uses a write-ahead log and syncs every commit to disk', async () => {
  const database = await openDatabase(`file:${at('deep/down/a.db')}`)
  onTestFinished(() => database.close())
  const { rows: journal } = await sql`pragma journal_mode`.execute(database.db)
  const { rows: sync } = await sql`pragma synchronous`.execute(database.db)
  expect([...journal, ...sync]).toEqual([{ journal_mode: 'wal' }, { synchronous: 2 }])
})

test('rejects a DATABASE_URL of an unknown kind', async () => {
  await expect(openDatabase('mysql://db.example.com')).rejects.toThrow(
    'DATABASE_URL must be file:PATH or postgres://…',
  )
})

test('says why PostgreSQL can’t be used, if its server responds', async () => {
  const server = createServer((socket) => socket.on('data', () => socket.write('N')))
  onTestFinished(() => void server.close())
  const { host } = new URL(await listenOnLoopback(server))
  const url = `postgres://u:Secret%401@${host}/db?sslmode=verify-full`
  await expect(openDatabase(url)).rejects.toThrow(
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
    const create = (number: number) =>
      addLinks(other, linkRow(`link${number}`, { title: 'x'.repeat(5_000) }))
    await addOwners(other, 'acme')
    const creates = async () => {
      for (let number = 0; number < 20; number++) await create(number)
    }
    await expect(creates()).rejects.toThrow()
    const readiness = () => other.checkWritable().catch(() => 'not ready')
    await expect.poll(readiness).toBe('not ready')
    await sql.raw(mend).execute(other.db)
    await other.checkWritable()
    await create(20)
    await removeLinks(other)
    expect(await other.db.selectFrom('owners').select('id').execute()).toEqual([{ id: 'acme' }])
    const { rows } = await sql`select * from link_counts where owner_id <> 'acme'`.execute(other.db)
    expect(rows).toEqual([])
  })
})
