import { constants } from 'node:fs'
import { access, chmod, copyFile, link, open, rename, rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { MIGRATION_NAMES } from './migrations.ts'

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
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      await backup(database, partial)
    } finally {
      database.close()
    }
    await toDisk(partial)
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
  const kept = (await exists(path))
    ? `${path}.${now.toISOString().replaceAll(':', '-')}`
    : undefined
  if (kept) closeWal(path)
  const partial = `${path}.partial`
  try {
    await copyFile(source, partial)
    await chmod(partial, 0o600)
    await toDisk(partial)
    if (kept) await link(path, kept)
    await rename(partial, path)
  } finally {
    await rm(partial, { force: true })
  }
  return kept
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
 * with the database.
 */
function closeWal(path: string): void {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    database.exec('PRAGMA journal_mode = DELETE')
  } catch (cause) {
    throw new BackupError('The database is in use. Stop the program first.', { cause })
  } finally {
    database.close()
  }
}

async function toDisk(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync().finally(() => file.close())
}

async function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  )
}
