import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { MIGRATION_NAMES } from '../../src/database/migrations.ts'
import { withDirectory } from '../support/fixtures.ts'
import { createPostgresDatabase, postgresSkipped } from '../support/postgres.ts'
import { restoreReleased } from '../support/released.ts'

/** A program that opens the database as soon as it gets input, and prints the domain records. */
const OPEN = `
const { openDatabase } = await import(process.argv[1])
process.stderr.write('ready')
process.stdin.once('data', async () => {
  const { db, close } = await openDatabase(process.argv[2])
  const rows = await db.selectFrom('domains').select('id').where('id', '=', 'default').execute()
  await close()
  process.stdout.write(JSON.stringify(rows))
  process.stdin.destroy()
})
`

async function openSixTimes(url: string): Promise<void> {
  const source = join(import.meta.dirname, '../../src/database/database.ts')
  const openers = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', OPEN, source, url]),
  )
  await Promise.all(openers.map(({ stderr }) => once(stderr, 'data')))
  const outputs = openers.map(({ stdin, stdout }) => {
    stdin.write('go')
    return text(stdout)
  })
  expect(await Promise.all(outputs)).toEqual(Array(6).fill('[{"id":"default"}]'))
  const database = await openDatabase(url)
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(
    database.db,
  )
  await database.close()
  expect(rows.map(({ name }) => name).sort()).toEqual(MIGRATION_NAMES)
}

const { test, directory, at } = withDirectory()

const OPENED = [
  { what: 'a new one on SQLite', kind: 'sqlite', make: async () => `file:${at('new.db')}` },
  { what: 'one of 1.0.0 on SQLite', kind: 'sqlite', make: () => released('sqlite') },
  { what: 'a new one on PostgreSQL', kind: 'postgres', make: createPostgresDatabase },
  { what: 'one of 1.0.0 on PostgreSQL', kind: 'postgres', make: () => released('postgres') },
] as const
const released = (kind: 'sqlite' | 'postgres') => restoreReleased(kind, directory.path)

test.each(OPENED.filter(({ kind }) => kind === 'sqlite' || !postgresSkipped))(
  'six processes that start at once migrate a database once: $what',
  async ({ make }) => openSixTimes(await make()),
)
