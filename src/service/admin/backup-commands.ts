import { resolve } from 'node:path'
import { BackupError, backupSqlite, restoreSqlite } from '../../database/backup.ts'
import { databaseKind, sqlitePath } from '../../database/database.ts'
import { AdminError } from './admin-error.ts'
import { parseCommand } from './arguments.ts'
import type { Report } from './report.ts'

/** A command about the database as a whole, which it does not open as others do. */
export type DatabaseCommand = (args: string[], context: DatabaseContext) => Promise<Report>

export interface DatabaseContext {
  databaseUrl: string
  /** Milliseconds since 1970. */
  now: () => number
}

/** `backup FILE` */
export const backupCommand: DatabaseCommand = async (args, { databaseUrl }) => {
  const { positional } = parseCommand(args, {}, 'the file to write')
  const file = resolve(positional)
  await inWords(() => backupSqlite(pathOf(databaseUrl), file))
  return {
    message:
      'The backup is made. What Slack workspaces have connected is encrypted in it: keep ENCRYPTION_KEYS, or the file encryption.keys beside the database, as well.',
    data: { file },
  }
}

/** `restore FILE` */
export const restoreCommand: DatabaseCommand = async (args, { databaseUrl, now }) => {
  const { positional } = parseCommand(args, {}, 'the backup')
  const path = pathOf(databaseUrl)
  const kept = await inWords(() => restoreSqlite(resolve(positional), path, new Date(now())))
  return {
    message: 'The backup is in place.',
    data: { database: resolve(path), earlier_database: kept === undefined ? null : resolve(kept) },
  }
}

function pathOf(databaseUrl: string): string {
  if (databaseKind(databaseUrl) === 'sqlite') return sqlitePath(databaseUrl)
  throw new AdminError('This is for SQLite. For PostgreSQL, use its own pg_dump and pg_restore.')
}

async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BackupError) throw new AdminError(error.message, { cause: error })
    throw error
  }
}
