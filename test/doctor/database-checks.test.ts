import { randomBytes } from 'node:crypto'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished } from 'vitest'
import { openExistingDatabase } from '../../src/database/existing-database.ts'
import { toSqliteError } from '../../src/database/sqlite-errors.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { Finding } from '../../src/doctor/check.ts'
import { checkDatabaseAt, databaseProblem, judgeSpace } from '../../src/doctor/database-checks.ts'
import { checkKeys } from '../../src/doctor/key-checks.ts'
import { createInstallations } from '../../src/workspaces/installations.ts'
import { createKeyring, loadOrCreateKeys } from '../../src/workspaces/keyring.ts'
import { freePort } from '../support/free-port.ts'
import { openDatabase } from '../support/open-database.ts'
import { createPostgresDatabase, MIGRATED, postgresSkipped } from '../support/postgres.ts'
import { withDirectory } from '../support/fixtures.ts'
import { finding } from './finding.ts'

const { test, directory } = withDirectory()

const sqliteUrl = () => `file:${join(directory.path, 'backhalf.db')}`

/** The statuses by name. */
async function statuses(url: string): Promise<Record<string, string>> {
  const findings = await checkDatabaseAt(url)
  return Object.fromEntries(findings.map(({ name, status }) => [name, status]))
}

async function findingOf(url: string, name: string): Promise<Finding | undefined> {
  return (await checkDatabaseAt(url)).find((one) => one.name === name)
}

async function createMigrated(url: string): Promise<void> {
  await (await openDatabase(url)).close()
}

const KINDS = [
  ['SQLite', async () => sqliteUrl()],
  ...(postgresSkipped ? [] : [['PostgreSQL', () => createPostgresDatabase(MIGRATED)] as const]),
] as const

describe.each(KINDS)('on %s', (_kind, createUrl) => {
  test('a migrated database is fine and stays as it was, also while the app has it open', async () => {
    const url = await createUrl()
    const app = await openDatabase(url)
    const migrations = () => sql`select * from kysely_migration`.execute(app.db)
    const before = await migrations()
    expect(await statuses(url)).toEqual({ Readable: 'ok', Writable: 'ok', Migrated: 'ok' })
    expect(await migrations()).toEqual(before)
    await app.checkWritable()
    await app.close()
    expect(await statuses(url)).toEqual({ Readable: 'ok', Writable: 'ok', Migrated: 'ok' })
  })

  test.each([
    [
      'names the migrations that have not run, and runs none of them',
      'delete from kysely_migration',
      'warning',
      '001-baseline',
    ],
    [
      'notices that a newer version has changed the database',
      "insert into kysely_migration (name, timestamp) values ('999-later', 'now')",
      'failed',
      /A newer version.*999-later/,
    ],
    [
      'does not mistake another program’s database for its own',
      'drop table kysely_migration',
      'failed',
      'another program’s tables',
    ],
  ])('%s', async (_what, change, status, message) => {
    const url = await createUrl()
    const app = await openDatabase(url)
    await sql.raw(change).execute(app.db)
    await app.close()
    const before = await findingOf(url, 'Migrated')
    expect(before).toMatchObject({ status, message: expect.stringMatching(message) as string })
    expect(await findingOf(url, 'Migrated')).toEqual(before)
  })
})

describe('on SQLite', () => {
  test('a missing file is created by the first start, and not by the doctor', async () => {
    const url = `file:${join(directory.path, 'new/data/backhalf.db')}`
    expect(await findingOf(url, 'Readable')).toEqual(finding('ok', 'The first start creates'))
    expect(await readdir(directory.path)).toEqual([])
  })

  test('leaves no file behind, and changes none', async () => {
    await createMigrated(sqliteUrl())
    const snapshot = async () => {
      const names = await readdir(directory.path)
      const file = await stat(join(directory.path, 'backhalf.db'))
      return { names, size: file.size, mode: file.mode, changed: file.mtimeMs }
    }
    const before = await snapshot()
    await checkDatabaseAt(sqliteUrl())
    expect(await snapshot()).toEqual(before)
  })

  test.each([
    [10, []],
    [9, [{ name: 'Disk', status: 'warning', message: 'Only 9 % of the disk is free in /data.' }]],
  ])('warns if less than a tenth of the disk is free (%i %%)', (freeBytes, expected) => {
    expect(judgeSpace({ folder: '/data', freeBytes, sizeBytes: 100 })).toMatchObject(expected)
  })

  test('an empty file is fine, because the first start fills it', async () => {
    await writeFile(join(directory.path, 'backhalf.db'), '')
    expect(await statuses(sqliteUrl())).toEqual({ Readable: 'ok', Migrated: 'ok' })
  })

  test('a file that is not a database is reported as damaged', async () => {
    await writeFile(join(directory.path, 'backhalf.db'), 'not a database '.repeat(1_000))
    const found = await findingOf(sqliteUrl(), 'Readable')
    expect(found).toEqual(finding('failed', 'damaged', 'backup'))
  })

  test.each([1, 5, 8, 10, 13, 14, 15])('error %i gets no advice about PostgreSQL', (errcode) => {
    const error = Object.assign(new Error('it failed'), { errcode })
    expect(databaseProblem(toSqliteError(error), 'backhalf.db').fix).not.toContain('DATABASE_URL')
  })
})

describe.skipIf(postgresSkipped)('on PostgreSQL', () => {
  test('an empty database is fine if the user can create tables', async () => {
    expect(await statuses(await createPostgresDatabase())).toEqual({
      Readable: 'ok',
      Migrated: 'ok',
    })
  })

  test('reports an extension that the first start could not create, and creates none', async () => {
    const url = new URL(await createPostgresDatabase())
    const db = openExistingDatabase(url.href)
    if (!db) throw new Error('there is no database')
    onTestFinished(() => db.destroy())
    const role = `limited_${randomBytes(4).toString('hex')}`
    await sql.raw(`create role ${role} login password 'x'`).execute(db)
    await sql.raw(`grant create, usage on schema public to ${role}`).execute(db)
    const extensions = () => sql`select extname from pg_extension`.execute(db)
    const before = await extensions()
    expect(await findingOf(url.href, 'Extensions')).toBeUndefined()
    Object.assign(url, { username: role, password: 'x' })
    const found = await findingOf(url.href, 'Extensions')
    expect(found).toMatchObject({ status: 'failed', message: 'The next start would fail.' })
    expect(found?.fix).toContain('CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin;')
    expect(await extensions()).toEqual(before)
    await sql.raw(`drop owned by ${role}; drop role ${role}`).execute(db)
  })

  test('names a database that does not exist, without the password', async () => {
    const url = new URL(await createPostgresDatabase())
    url.pathname = '/nowhere'
    url.password = 'hunter2hunter2'
    const found = await findingOf(url.href, 'Readable')
    expect(found).toEqual(finding('failed', 'does not exist (nowhere at 127.0.0.1'))
    expect(JSON.stringify(found)).not.toContain('hunter2')
  })

  test('reports that the server can’t be reached', async () => {
    const url = `postgres://u:p@127.0.0.1:${await freePort()}/b`
    expect(await findingOf(url, 'Readable')).toEqual(finding('failed', 'ECONNREFUSED'))
  })

  test('a read-only database is readable, but not writable', async () => {
    const url = await createPostgresDatabase()
    await createMigrated(url)
    const readOnly = `${url}?options=-c%20default_transaction_read_only%3Don`
    expect(await statuses(readOnly)).toEqual({ Readable: 'ok', Writable: 'failed', Migrated: 'ok' })
    expect(await findingOf(readOnly, 'Writable')).toEqual(finding('failed', 'read-only'))
  })
})

describe('encryption keys', () => {
  const PATH = () => join(directory.path, 'encryption.keys')
  const key = () => randomBytes(32).toString('base64')

  async function keysOf(env: Record<string, string>) {
    const config = parseConfig({ DATABASE_URL: sqliteUrl(), ...env })
    const database = openExistingDatabase(sqliteUrl())
    const { findings } = await checkKeys(config, database)
    await database?.destroy()
    return Object.fromEntries(findings.map(({ name, ...rest }) => [name, rest]))
  }

  /** Stores an installation that a key encrypts. */
  async function install(keys: readonly Buffer[]): Promise<void> {
    const database = await openDatabase(sqliteUrl())
    const installations = createInstallations({ database, keyring: createKeyring(keys) })
    await installations.save({
      team: { id: 'T1' },
      user: { id: 'U1' },
      bot: { token: 'xoxb-1', scopes: [], id: 'B1', userId: 'U2' },
    })
    await database.close()
  }

  test('are fine before the first start, which creates the key file', async () => {
    expect(await keysOf({})).toEqual({ Keys: finding('ok'), 'Stored secrets': finding('skipped') })
    expect(await readdir(directory.path)).toEqual([])
  })

  test('in the key file open what is stored', async () => {
    await install(await loadOrCreateKeys(PATH()))
    expect(await keysOf({})).toEqual({
      Keys: finding('ok'),
      'Key file': finding('ok'),
      'Stored secrets': finding('ok', 'installations: 1'),
    })
  })

  test('are reported as missing if the key file is gone but the database needs it', async () => {
    await install(await loadOrCreateKeys(PATH()))
    await rm(PATH())
    expect(await keysOf({})).toEqual({
      Keys: finding('failed', '', 'before you start Backhalf'),
      'Stored secrets': finding('failed'),
    })
  })

  test('say how much another key can’t open', async () => {
    await install([randomBytes(32)])
    expect(await keysOf({ ENCRYPTION_KEYS: `${key()},${key()}` })).toEqual({
      Keys: finding('ok', '2 keys'),
      'Stored secrets': finding('failed', '1 of 1 can’t be decrypted'),
    })
  })

  test('in a damaged key file are reported without its content', async () => {
    await writeFile(PATH(), 'c2VjcmV0IGJ1dCBzaG9ydA==', { mode: 0o600 })
    const found = await keysOf({})
    expect(found['Keys']).toMatchObject({ status: 'failed' })
    expect(JSON.stringify(found)).not.toContain('c2VjcmV0')
  })
})
