import { resolve } from 'node:path'
import { backupSqlite, recordBackup, restoreSqlite } from '../../database/backup.ts'
import { copyDatabase } from '../../database/copy/copy-database.ts'
import { openDatabase } from '../../database/database.ts'
import { databaseKind, sqlitePath } from '../../database/database-url.ts'
import { openExistingDatabase } from '../../database/existing-database.ts'
import { errorMessage } from '../../values/unknown-values.ts'
import { AdminError, type Command, type CommandContext } from './command.ts'

const USAGE =
  'Usage: npm run admin -- migrate-database file:PATH [postgres://…]. Without the second address, DATABASE_URL is used.'

export const DATABASE_COMMANDS: Record<string, Command<CommandContext>> = {
  backup: {
    args: 'FILE',
    help: 'copy the whole SQLite database; the service can keep running',
    async run({ args: [name = ''] }, context) {
      const file = resolve(name)
      const path = requireSqlitePath(context.databaseUrl)
      await backupSqlite(path, file).catch(async (error: unknown) => {
        await recordResult(context)
        throw error
      })
      await recordResult(context, context.now())
      return {
        message:
          'Backup created. Some of its data is encrypted. To read that data later, also keep ENCRYPTION_KEYS, or the file encryption.keys next to the database.',
        data: { file },
      }
    },
  },
  restore: {
    args: 'FILE',
    help: 'restore a backup; the service must be stopped',
    async run({ args: [file = ''] }, { databaseUrl, now }) {
      const path = requireSqlitePath(databaseUrl)
      const earlier = await restoreSqlite(resolve(file), path, new Date(now()))
      return {
        message: 'Backup restored.',
        data: { database: resolve(path), earlier_database: earlier ? resolve(earlier) : null },
      }
    },
  },
  'migrate-database': {
    args: 'FROM [TO]',
    help: `copy a SQLite database (file:PATH) to an empty PostgreSQL database, and compare
them; Backhalf must be stopped. By default, TO is DATABASE_URL, so that the list
of processes does not show its password`,
    async run({ args: [fromUrl = '', toUrl] }, context) {
      const to = toUrl ?? context.databaseUrl
      if (databaseKind(fromUrl) !== 'sqlite') throw new AdminError(USAGE)
      if (databaseKind(to) !== 'postgres') {
        throw new AdminError(`Data can be copied only to PostgreSQL.\n${USAGE}`)
      }
      const from = resolve(sqlitePath(fromUrl))
      const report = (line: string): void => void context.err(`${line}\n`)
      const { tables, rows } = await copyDatabase(from, to, report)
      const { advice, ...counts } = (await checkEncryption(to, from, context)) ?? {}
      const copied = `Copied ${rows.toLocaleString('en')} rows of ${tables} tables, and compared both databases: they are equal. Now start Backhalf with the PostgreSQL database, and never again with the SQLite file.`
      return {
        message: advice === undefined ? copied : `${copied}\n\n${advice}`,
        data: { from, tables, rows, equal: 'yes', ...counts },
      }
    },
  },
}

/** Records the result of a backup for the metrics. Doesn't throw. @param createdAt undefined if the backup failed */
async function recordResult({ databaseUrl, err }: CommandContext, createdAt?: number) {
  await using db = openExistingDatabase(databaseUrl)
  if (!db) return
  try {
    const failures = await recordBackup(db, createdAt)
    if (failures > 1) err(`${failures} backups in a row have failed.\n`)
  } catch (error) {
    err(`The result could not be recorded for the metrics: ${errorMessage(error)}\n`)
  }
}

function requireSqlitePath(databaseUrl: string): string {
  if (databaseKind(databaseUrl) === 'sqlite') return sqlitePath(databaseUrl)
  throw new AdminError('This command is for SQLite. For PostgreSQL, use pg_dump and pg_restore.')
}

/** Opens the new database as the service does, so that the command fails if the service could not open it. */
async function checkEncryption(url: string, path: string, { checkEncrypted }: CommandContext) {
  if (!checkEncrypted) return undefined
  await using database = await openDatabase(url)
  return await checkEncrypted(database.db, path)
}
