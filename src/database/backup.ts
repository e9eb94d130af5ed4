import { existsSync } from 'node:fs'
import { chmod, link, open, rename, rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { errorMessage } from '../values/unknown-values.ts'
import { CopyError } from './errors.ts'
import { recordedIn, schemaVersion } from './migrations.ts'
import type { Db } from './schema.ts'
import { isDamaged, SQLITE, sqliteCode } from './sqlite-errors.ts'
import { LOG_SUFFIXES } from './sqlite-file.ts'

// A write between two steps of a copy would restart it, so all pages are copied in one step.
const ALL_PAGES = 2 ** 31 - 1

/** Copies a SQLite database to a new file, even while it is in use, and checks the copy. @throws CopyError */
export async function backupSqlite(path: string, target: string): Promise<void> {
  if (!existsSync(path)) throw new CopyError(`There is no database at ${path}.`)
  if (existsSync(target)) throw new CopyError(`The file already exists: ${target}`)
  const partial = `${target}.partial`
  // We create the file ourselves, so that no other user can read it.
  const file = await open(partial, 'wx', 0o600).catch((cause: unknown) => {
    throw new CopyError(`The file can’t be written: ${partial}`, { cause })
  })
  try {
    await file.close()
    await copySqlite(path, partial)
    checkIntegrity(partial)
    await link(partial, target)
  } catch (cause) {
    throw new CopyError(`No backup was created: ${errorMessage(cause)}`, { cause })
  } finally {
    await rm(partial, { force: true })
  }
}

/**
 * Replaces the database with a backup. An earlier database is kept under another name.
 * @returns the path of the earlier database, or undefined if there was none
 * @throws CopyError if the database is in use, or if `source` is not our backup
 */
export async function restoreSqlite(source: string, path: string, now: Date) {
  checkBackup(source)
  const hasDatabase = existsSync(path)
  if (hasDatabase) emptyReplacedLog(path)
  const keptPath = `${path}.${now.toISOString().replaceAll(':', '-')}`
  const partial = `${path}.partial`
  try {
    await copySqlite(source, partial)
    await chmod(partial, 0o600)
    if (hasDatabase) await link(path, keptPath)
    // SQLite would apply a leftover log of the earlier database to the restored one.
    for (const suffix of LOG_SUFFIXES) {
      if (existsSync(path + suffix)) await rename(path + suffix, keptPath + suffix)
    }
    await rename(partial, path)
  } finally {
    await rm(partial, { force: true })
  }
  return hasDatabase ? keptPath : undefined
}

// Copies a database with its log into one file without a log, which can be read even from a read-only disk.
async function copySqlite(from: string, to: string): Promise<void> {
  using database = new DatabaseSync(from, { readOnly: true })
  await backup(database, to, { rate: ALL_PAGES })
  emptyLog(to)
  await using file = await open(to, 'r+')
  await file.sync()
}

function checkIntegrity(path: string): void {
  using database = new DatabaseSync(path, { readOnly: true })
  const [row] = database.prepare('PRAGMA integrity_check(1)').all()
  const result = row?.['integrity_check']
  if (result !== 'ok') throw new Error(String(result))
}

function checkBackup(path: string): void {
  let recorded: string[]
  try {
    checkIntegrity(path)
    using database = new DatabaseSync(path, { readOnly: true })
    recorded = recordedIn(database)
  } catch (cause) {
    throw new CopyError(`The file is not a backup, or it is damaged: ${path}`, { cause })
  }
  const { problem } = schemaVersion(recorded)
  if (problem !== undefined) throw new CopyError(`The backup can’t be restored. ${problem}`)
}

/** Moves the write-ahead log into the file. @throws SQLITE_BUSY if another process has the database open */
function emptyLog(path: string): void {
  using database = new DatabaseSync(path, { timeout: 0 })
  database.exec('PRAGMA journal_mode = DELETE')
}

// A damaged database keeps its log, because the damage might be the reason for the replacement.
function emptyReplacedLog(path: string): void {
  try {
    emptyLog(path)
  } catch (cause) {
    if (isDamaged(cause)) return
    const reason =
      sqliteCode(cause) === SQLITE.BUSY
        ? 'The database is in use. Stop Backhalf first.'
        : `The database can’t be opened: ${path}`
    throw new CopyError(reason, { cause })
  }
}

/** Records that a backup was made or, without `createdAt`, has failed. @returns how many in a row have failed */
export async function recordBackup(db: Db, createdAt?: number): Promise<number> {
  // deploy/backup-compose does the same.
  const { rows } = await sql<{ failures: number }>`
    insert into backups (id, made_at, failures) values (1, ${createdAt ?? null}, ${createdAt ? 0 : 1})
    on conflict (id) do update set made_at = coalesce(excluded.made_at, backups.made_at),
      failures = (backups.failures + 1) * excluded.failures returning failures`.execute(db)
  return rows[0]?.failures ?? 0
}
