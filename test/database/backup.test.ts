import { cp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { backupSqlite, restoreSqlite } from '../../src/database/backup.ts'
import type { Database } from '../../src/database/database.ts'
import { CopyError } from '../../src/database/errors.ts'
import { withDirectory } from '../support/fixtures.ts'
import { openDatabase } from '../support/open-database.ts'
import { addOwners } from '../support/rows.ts'

const NOW = new Date('2027-03-01T12:00:00.000Z')

const { test, directory, at } = withDirectory()
const open = (name: string): Promise<Database> => openDatabase(`file:${at(name)}`)

/** Creates a database with these owners. */
async function create(name: string, ...owners: string[]): Promise<void> {
  const database = await open(name)
  await addOwners(database, ...owners)
  await database.close()
}

async function ownersIn(name: string): Promise<string[]> {
  const database = await open(name)
  const rows = await database.db.selectFrom('owners').select('id').orderBy('id').execute()
  await database.close()
  return rows.map(({ id }) => id)
}

test('copies an open database, including what is only in its log', async () => {
  const database = await open('now.db')
  await addOwners(database, 'ana')
  await backupSqlite(at('now.db'), at('copy.db'))
  await database.close()
  expect(await readdir(directory.path)).toEqual(['copy.db', 'now.db'])
  expect((await stat(at('copy.db'))).mode & 0o777).toBe(0o600)
  expect(await ownersIn('copy.db')).toEqual(['ana'])
})

test('does not overwrite a file, and requires a database', async () => {
  await writeFile(at('copy.db'), 'precious')
  await expect(backupSqlite(at('none.db'), at('new.db'))).rejects.toThrow(
    new CopyError(`There is no database at ${at('none.db')}.`),
  )
  await create('now.db', 'ana')
  await expect(backupSqlite(at('now.db'), at('copy.db'))).rejects.toThrow(
    new CopyError(`The file already exists: ${at('copy.db')}`),
  )
  expect(await readFile(at('copy.db'), 'utf8')).toBe('precious')
})

test('does not call a copy of a damaged database a backup', async () => {
  await create('now.db', 'ana')
  const bytes = await readFile(at('now.db'))
  bytes.fill(0xff, 3 * 4096) // The header and the schema stay.
  await writeFile(at('now.db'), bytes)
  await expect(backupSqlite(at('now.db'), at('copy.db'))).rejects.toThrow(
    'No backup was created: database disk image is malformed',
  )
  expect(await readdir(directory.path)).not.toContain('copy.db')
})

test('restores a backup to a new place, or keeps the earlier database', async () => {
  const database = await open('now.db')
  await addOwners(database, 'ana')
  await backupSqlite(at('now.db'), at('copy.db'))
  await addOwners(database, 'ben')
  await database.close()
  const kept = await restoreSqlite(at('copy.db'), at('now.db'), NOW)
  expect(kept).toBe(at('now.db.2027-03-01T12-00-00.000Z'))
  expect(await ownersIn('now.db')).toEqual(['ana'])
  expect(await ownersIn('now.db.2027-03-01T12-00-00.000Z')).toEqual(['ana', 'ben'])
  expect(await restoreSqlite(at('copy.db'), at('new.db'), NOW)).toBeUndefined()
  expect(await ownersIn('new.db')).toEqual(['ana'])
})

test('does not restore over a database that is in use', async () => {
  const database = await open('now.db')
  await backupSqlite(at('now.db'), at('copy.db'))
  await addOwners(database, 'ana')
  await expect(restoreSqlite(at('copy.db'), at('now.db'), NOW)).rejects.toThrow(
    'The database is in use. Stop Backhalf first.',
  )
  await database.close()
  expect(await ownersIn('now.db')).toEqual(['ana'])
})

test('finishes a backup during constant writes', async () => {
  await create('now.db', 'ana')
  const writer = new DatabaseSync(at('now.db'), { timeout: 1_000 })
  writer.exec('create table much (bytes blob); insert into much values (zeroblob(20000000))')
  const writing = setInterval(() => writer.exec('insert into much values (1)'), 1)
  await backupSqlite(at('now.db'), at('copy.db'))
  clearInterval(writing)
  writer.close()
})

test('restores a copy of the file and its write-ahead log', async () => {
  const database = await open('copy.db')
  await addOwners(database, 'in-the-log')
  await cp(at('copy.db'), at('old.db'))
  await cp(at('copy.db-wal'), at('old.db-wal'))
  await database.close()
  await restoreSqlite(at('old.db'), at('now.db'), NOW)
  expect(await ownersIn('now.db')).toEqual(['in-the-log'])
})

test('keeps a damaged database under another name', async () => {
  await create('copy.db', 'ana')
  await writeFile(at('now.db'), 'damaged'.repeat(1_000))
  const kept = await restoreSqlite(at('copy.db'), at('now.db'), NOW)
  expect(await readFile(kept ?? '', 'utf8')).toMatch(/^damaged/)
  expect(await ownersIn('now.db')).toEqual(['ana'])
})

test('ignores a write-ahead log that an earlier database left behind', async () => {
  const database = await open('now.db')
  await addOwners(database, 'ana')
  await backupSqlite(at('now.db'), at('copy.db'))
  await addOwners(database, 'ben')
  await cp(at('now.db-wal'), at('log'))
  await database.close()
  await rm(at('now.db'))
  await rename(at('log'), at('now.db-wal'))
  await restoreSqlite(at('copy.db'), at('now.db'), NOW)
  expect(await ownersIn('now.db')).toEqual(['ana'])
})

test.each([
  ['a file that is not a database', (path: string) => writeFile(path, 'not a database')],
  ['a missing file', async () => undefined],
  ['a database of another program', async (path: string) => change(path, 'create table t (x)')],
])('rejects %s as a backup', async (_what, make) => {
  await make(at('copy.db'))
  await expect(restoreSqlite(at('copy.db'), at('now.db'), NOW)).rejects.toThrow(
    new CopyError(`The file is not a backup, or it is damaged: ${at('copy.db')}`),
  )
  expect(await readdir(directory.path)).not.toContain('now.db')
})

test('rejects a backup that a newer version created', async () => {
  await create('newer.db', 'ana')
  change(at('newer.db'), `insert into kysely_migration values ('999-later', '2030-01-01')`)
  await expect(restoreSqlite(at('newer.db'), at('now.db'), NOW)).rejects.toThrow(
    new CopyError(
      'The backup can’t be restored. A newer version of Backhalf has changed it (999-later).',
    ),
  )
})

function change(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}
