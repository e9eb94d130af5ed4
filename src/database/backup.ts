import { constants } from 'node:fs'
import { access, chmod, link, open, rename, rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { schemaVersion } from './migrations.ts'

/** SQLite's result codes: the file is locked, it is damaged, it is not a database. */
const [SQLITE_BUSY, SQLITE_CORRUPT, SQLITE_NOTADB] = [5, 11, 26]

/** Copies all pages in one step: a write between two steps would restart the copy. */
const ALL_PAGES = 2 ** 31 - 1

/** A backup can't be created or restored. The message explains why and is shown to the user. */
export class BackupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BackupError'
  }
}

/**
 * Copies a SQLite database to a new file. The copy is consistent even if other processes write to
 * the database.
 *
 * @throws BackupError if there is no database, if it is damaged, or if the file already exists
 */
export async function backupSqlite(path: string, target: string): Promise<void> {
  if (!(await exists(path))) throw new BackupError(`There is no database at ${path}.`)
  if (await exists(target)) throw new BackupError(`The file already exists: ${target}`)
  const partial = `${target}.partial`
  // We create the file ourselves, so that no other user can read it.
  const file = await open(partial, 'wx', 0o600).catch((cause: unknown) => {
    throw new BackupError(`The file can’t be written: ${partial}`, { cause })
  })
  try {
    await file.close()
    await copyIntact(path, partial)
    await link(partial, target)
  } finally {
    await rm(partial, { force: true })
  }
}

/**
 * Replaces a SQLite database with a backup. The earlier database is kept under another name.
 *
 * @returns the new path of the earlier database; undefined if there was none
 * @throws BackupError if the file is not our backup, or if the database is in use
 */
export async function restoreSqlite(
  source: string,
  path: string,
  now: Date,
): Promise<string | undefined> {
  checkBackup(source)
  const hasDatabase = await exists(path)
  if (hasDatabase) closeWal(path)
  const keptPath = `${path}.${now.toISOString().replaceAll(':', '-')}`
  const partial = `${path}.partial`
  try {
    await copySqlite(source, partial)
    await chmod(partial, 0o600)
    if (hasDatabase) await link(path, keptPath)
    // SQLite would apply a leftover log of the earlier database to the restored one.
    for (const suffix of ['-wal', '-shm']) {
      if (await exists(path + suffix)) await rename(path + suffix, keptPath + suffix)
    }
    await rename(partial, path)
  } finally {
    await rm(partial, { force: true })
  }
  return hasDatabase ? keptPath : undefined
}

/**
 * Copies the whole database, including its write-ahead log. The copy is a single file without a
 * log, so it can be read even from a read-only disk.
 */
async function copySqlite(from: string, to: string): Promise<void> {
  const database = new DatabaseSync(from, { readOnly: true })
  try {
    await backup(database, to, { rate: ALL_PAGES })
  } finally {
    database.close()
  }
  const copy = new DatabaseSync(to)
  try {
    copy.exec('PRAGMA journal_mode = DELETE')
  } finally {
    copy.close()
  }
  const file = await open(to, 'r+')
  await file.sync().finally(() => file.close())
}

/** @throws BackupError if the database, or what was written, is damaged */
async function copyIntact(from: string, to: string): Promise<void> {
  try {
    await copySqlite(from, to)
    const copy = new DatabaseSync(to, { readOnly: true })
    try {
      checkIntegrity(copy)
    } finally {
      copy.close()
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new BackupError(`No backup was created: ${reason}`, { cause })
  }
}

/** @throws Error with the first problem that SQLite finds */
function checkIntegrity(database: DatabaseSync): void {
  const [found] = database.prepare('PRAGMA integrity_check(1)').all()
  const result = found?.['integrity_check']
  if (result !== 'ok') throw new Error(String(result))
}

/** @throws BackupError if the file is not an intact database of this version or an earlier one */
function checkBackup(path: string): void {
  let names: string[]
  try {
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      checkIntegrity(database)
      names = database
        .prepare('SELECT name FROM kysely_migration')
        .all()
        .map(({ name }) => String(name))
    } finally {
      database.close()
    }
  } catch (cause) {
    throw new BackupError(`The file is not a backup, or it is damaged: ${path}`, { cause })
  }
  const { problem } = schemaVersion(names)
  if (problem !== undefined) throw new BackupError(`The backup can’t be restored. ${problem}`)
}

/**
 * Moves the write-ahead log's contents into the database file. SQLite does this only if no other
 * process has the database open. A damaged database is ignored: it may be the reason for restoring.
 */
function closeWal(path: string): void {
  try {
    const database = new DatabaseSync(path, { timeout: 0 })
    try {
      database.exec('PRAGMA journal_mode = DELETE')
    } finally {
      database.close()
    }
  } catch (cause) {
    const code = cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) & 0xff : 0
    if (code === SQLITE_CORRUPT || code === SQLITE_NOTADB) return
    const reason =
      code === SQLITE_BUSY
        ? 'The database is in use. Stop Backhalf first.'
        : `The database can’t be opened: ${path}`
    throw new BackupError(reason, { cause })
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  )
}
