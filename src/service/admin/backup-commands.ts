import { resolve } from 'node:path'
import type { Kysely } from 'kysely'
import { BackupError, backupSqlite, restoreSqlite } from '../../database/backup.ts'
import { databaseKind, sqlitePath } from '../../database/database.ts'
import type { Schema } from '../../database/schema.ts'
import { parseCommand } from './arguments.ts'
import { AdminError, type Report } from './command.ts'

/** A command on the database as a whole. It does not open the database as other commands do. */
export type DatabaseCommand = (args: string[], context: DatabaseContext) => Promise<Report>

export interface DatabaseContext {
  databaseUrl: string
  /** The time in milliseconds since 1970. */
  now: () => number
  /** Prints what a long command is doing. */
  progress: (text: string) => unknown
  /** What the app has encrypted in a database; absent in tests of the service alone. */
  checkEncrypted?: CheckEncrypted | undefined
}

/** How much of what the app has encrypted its keys can read. */
export interface EncryptedData {
  encrypted: number
  unreadable: number
  /** What to do with the keys. */
  advice: string
}

/** @param path the SQLite file that the data was in before. Its keys may be next to it. */
export type CheckEncrypted = (db: Kysely<Schema>, path: string) => Promise<EncryptedData>

/** `backup FILE` */
export const backupCommand: DatabaseCommand = async (args, { databaseUrl }) => {
  const { positional } = parseCommand(args, {}, 'the file to write')
  const file = resolve(positional)
  await withAdminErrors(() => backupSqlite(pathOf(databaseUrl), file))
  return {
    message:
      'Backup created. Some of its data is encrypted. To read that data later, also keep ENCRYPTION_KEYS, or the file encryption.keys next to the database.',
    data: { file },
  }
}

/** `restore FILE` */
export const restoreCommand: DatabaseCommand = async (args, { databaseUrl, now }) => {
  const { positional } = parseCommand(args, {}, 'the backup')
  const path = pathOf(databaseUrl)
  const earlier = await withAdminErrors(() =>
    restoreSqlite(resolve(positional), path, new Date(now())),
  )
  return {
    message: 'Backup restored.',
    data: {
      database: resolve(path),
      earlier_database: earlier === undefined ? null : resolve(earlier),
    },
  }
}

function pathOf(databaseUrl: string): string {
  if (databaseKind(databaseUrl) === 'sqlite') return sqlitePath(databaseUrl)
  throw new AdminError('This command is for SQLite. For PostgreSQL, use pg_dump and pg_restore.')
}

async function withAdminErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BackupError) throw new AdminError(error.message, { cause: error })
    throw error
  }
}
