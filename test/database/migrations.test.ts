import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../support/open-database.ts'
import { createPostgresDatabase, postgresSkipped } from '../support/postgres.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'

describeOnEveryDatabase((given) => {
  test('a database of a newer version is not opened', async () => {
    const { db } = given.database
    await sql`insert into kysely_migration (name, timestamp) values ('999-later', 'now')`.execute(
      db,
    )
    await expect(openDatabase(given.url)).rejects.toThrow(
      'The database in DATABASE_URL can’t be opened: A newer version of Backhalf has changed it (999-later)',
    )
    await sql`delete from kysely_migration where name = '999-later'`.execute(db)
  })
})

test.skipIf(postgresSkipped)('says what to do if an extension can’t be created', async () => {
  const url = new URL(await createPostgresDatabase())
  const admin = new pg.Client(url.href)
  await admin.connect()
  onTestFinished(() => admin.end())
  const role = `limited_${url.pathname.slice(-12)}`
  await admin.query(`create role ${role} login; grant create, usage on schema public to ${role}`)
  url.username = role
  await expect(openDatabase(url.href)).rejects.toThrow(
    /needs PostgreSQL’s extension pg_trgm.*permission denied.*: CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin;$/,
  )
  await admin.query('create extension pg_trgm')
  await expect(openDatabase(url.href)).rejects.toThrow(/: CREATE EXTENSION btree_gin;$/)
  await admin.query('create extension btree_gin')
  await (await openDatabase(url.href)).close()
})
