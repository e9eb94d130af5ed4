import { resolve } from 'node:path'
import { copyDatabase, type CopyOutcome } from '../../database/copy/copy-database.ts'
import { CopyError } from '../../database/copy/tables.ts'
import { databaseKind, openDatabase, sqlitePath } from '../../database/database.ts'
import { AdminError } from './command.ts'
import type { DatabaseCommand, DatabaseContext, EncryptedData } from './backup-commands.ts'

const USAGE =
  'Usage: npm run admin -- migrate-database file:PATH [postgres://…]. Without the second address, DATABASE_URL is used.'

/** `migrate-database FROM [TO]`. The addresses are never repeated, because TO holds a password. */
export const migrateDatabaseCommand: DatabaseCommand = async (args, context) => {
  const [fromUrl = '', toUrl = context.databaseUrl, ...more] = args
  if (databaseKind(fromUrl) !== 'sqlite' || more.length > 0) throw new AdminError(USAGE)
  if (databaseKind(toUrl) !== 'postgres') {
    throw new AdminError(`Data can be copied only to PostgreSQL.\n${USAGE}`)
  }
  const from = resolve(sqlitePath(fromUrl))
  const report = (line: string): void => void context.progress(`${line}\n`)
  const outcome = await withAdminErrors(() => copyDatabase({ from, to: toUrl, report }))
  const { tables, rows, differences } = outcome
  const isEqual = differences.length === 0
  const keys = isEqual ? await checkKeys(toUrl, from, context) : undefined
  return {
    message: [summary(outcome), ...(keys ? [keys.advice] : [])].join('\n\n'),
    data: {
      ...{ from, tables, rows, equal: isEqual ? 'yes' : 'no', differences },
      ...(keys && { encrypted: keys.encrypted, unreadable: keys.unreadable }),
    },
    failed: !isEqual,
  }
}

function summary({ tables, rows, differences }: CopyOutcome): string {
  return differences.length > 0
    ? 'Nothing was copied, because the copy differs from the original.'
    : `Copied ${rows.toLocaleString('en')} rows of ${tables} tables, and compared both databases: they are equal. Now start Backhalf with the PostgreSQL database, and never again with the SQLite file.`
}

/** Opens the new database as the service does, which also shows that the service can. */
async function checkKeys(
  url: string,
  path: string,
  { checkEncrypted }: DatabaseContext,
): Promise<EncryptedData | undefined> {
  if (!checkEncrypted) return undefined
  const database = await openDatabase(url)
  try {
    return await checkEncrypted(database.db, path)
  } finally {
    await database.close()
  }
}

async function withAdminErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CopyError) throw new AdminError(error.message, { cause: error })
    throw error
  }
}
