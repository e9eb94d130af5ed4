import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { rowsOf, schemaOf } from '../support/database-contents.ts'
import { withDirectory } from '../support/fixtures.ts'
import { openDatabase } from '../support/open-database.ts'
import { createPostgresDatabase, postgresSkipped } from '../support/postgres.ts'
import { postgresBinaries } from '../support/postgres-server.ts'
import { addLinks, addOwners, linkRow } from '../support/rows.ts'

const run = (program: string, ...args: string[]) =>
  promisify(execFile)(join(postgresBinaries ?? '', program), args)

const { test, at } = withDirectory()

test.skipIf(postgresSkipped)('a backup of pg_dump can be restored', async () => {
  const url = await createPostgresDatabase()
  const database = await openDatabase(url)
  await addOwners(database, 'acme')
  await addLinks(database, linkRow('spring'))
  await database.close()
  await run('pg_dump', '--format=custom', `--file=${at('backup.dump')}`, url)
  const target = await createPostgresDatabase()
  await run('pg_restore', '--no-owner', '--exit-on-error', `--dbname=${target}`, at('backup.dump'))
  expect(await schemaOf(target)).toEqual(await schemaOf(url))
  expect(await rowsOf(target)).toEqual(await rowsOf(url))
})
