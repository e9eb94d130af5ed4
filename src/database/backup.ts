import { constants } from 'node:fs'
import { access, chmod, link, open, rename, rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { MIGRATION_NAMES } from './migrations.ts'

/** SQLite's result codes: somebody has the file locked; it is damaged; it is no database. */
const [SQLITE_BUSY, SQLITE_CORRUPT, SQLITE_NOTADB] = [5, 11, 26]

/** All pages in one step: between two of them, anybody's write would start the copy anew. */
const ALL_PAGES = 2 ** 31 - 1

/** A backup that can't be made or used; the message says why, for whoever asked for it. */
export class BackupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BackupError'
  }
}

/**
 * Copies a SQLite database into a new file, consistent while others write to it.
 *
 * @throws BackupError where there is no database, or the file is there already
 */
export async function backupSqlite(path: string, target: string): Promise<void> {
  if (!(await exists(path))) throw new BackupError(`There is no database at ${path}.`)
  if (await exists(target)) throw new BackupError(`There is a file already: ${target}`)
  const partial = `${target}.partial`
  // Made by us, so that nobody else may read it.
  const file = await open(partial, 'wx', 0o600).catch((cause: unknown) => {
    throw new BackupError(`The file can’t be written: ${partial}`, { cause })
  })
  try {
    await file.close()
    await copySqlite(path, partial)
    await link(partial, target)
  } finally {
    await rm(partial, { force: true })
  }
}

/**
 * Puts a backup in the place of a SQLite database, which is kept beside it.
 *
 * @returns where the earlier database is now; undefined where there was none
 * @throws BackupError where the file is no backup of ours, or somebody has the database open
 */
export async function restoreSqlite(
  source: string,
  path: string,
  now: Date,
): Promise<string | undefined> {
  checkBackup(source)
  const isThere = await exists(path)
  if (isThere) closeWal(path)
  const aside = `${path}.${now.toISOString().replaceAll(':', '-')}`
  const partial = `${path}.partial`
  try {
    await copySqlite(source, partial)
    await chmod(partial, 0o600)
    if (isThere) await link(path, aside)
    // A log that is left of the earlier database would be played into this one.
    for (const suffix of ['-wal', '-shm']) {
      if (await exists(path + suffix)) await rename(path + suffix, aside + suffix)
    }
    await rename(partial, path)
  } finally {
    await rm(partial, { force: true })
  }
  return isThere ? aside : undefined
}

/**
 * A whole copy, with what is in the write-ahead log still. It has none itself: one file, which can
 * be read where nothing can be written.
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

/** @throws BackupError for anything but a whole database of ours, of this version or an earlier one */
function checkBackup(path: string): void {
  let names: string[]
  try {
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      const [integrity] = database.prepare('PRAGMA integrity_check').all()
      if (integrity?.['integrity_check'] !== 'ok') throw new Error('it is damaged')
      names = database
        .prepare('SELECT name FROM kysely_migration')
        .all()
        .map(({ name }) => String(name))
    } finally {
      database.close()
    }
  } catch (cause) {
    throw new BackupError(`This is no backup, or a damaged one: ${path}`, { cause })
  }
  if (names.some((name) => !MIGRATION_NAMES.includes(name))) {
    throw new BackupError('This backup was made by a newer version of the program.')
  }
}

/**
 * Brings what is in the write-ahead log into the file. SQLite does that only for whoever is alone
 * with the database. A damaged one is let be: it may be why a backup is wanted.
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
    const why =
      code === SQLITE_BUSY
        ? 'The database is in use. Stop the program first.'
        : `The database can’t be opened: ${path}`
    throw new BackupError(why, { cause })
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  )
}
