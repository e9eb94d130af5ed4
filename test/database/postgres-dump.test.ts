import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { beforeEach, describe, expect } from 'vitest'
import { withDirectory } from '../support/fixtures.ts'
import { openDatabase } from '../support/open-database.ts'
import { createPostgresDatabase, postgresSkipped } from '../support/postgres.ts'
import { postgresBinaries } from '../support/postgres-server.ts'
import { addLinks, addOwners, linkRow } from '../support/rows.ts'

const run = (program: string, args: string[]) =>
  promisify(execFile)(join(postgresBinaries ?? '', program), args)

const { test, at } = withDirectory()

describe.skipIf(postgresSkipped)('a database on PostgreSQL', () => {
  let url: string
  beforeEach(async () => {
    url = await createPostgresDatabase()
    const database = await openDatabase(url)
    await addOwners(database, 'acme')
    await addLinks(database, linkRow('spring'))
    await database.close()
  })

  test('can be restored from a backup of pg_dump', async () => {
    const file = at('backup.dump')
    await run('pg_dump', ['--format=custom', `--file=${file}`, url])
    const target = await createPostgresDatabase()
    await run('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${target}`, file])
    expect(await indexes(target)).toEqual(await indexes(url))
  })
})

async function indexes(url: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ indexname: string }>(
    `select indexname from pg_indexes where schemaname = 'public' order by indexname`,
  )
  await client.end()
  expect(rows.length).toBeGreaterThan(20)
  return rows
}
