import { Kysely, sql, type Dialect, type Insertable, type Transaction } from 'kysely'
import { databaseKind, sqlitePath } from '../database-url.ts'
import { isPostgres } from '../dialects.ts'
import { PATIENT, postgresDialect } from '../postgres.ts'
import type { Schema } from '../schema.ts'
import { sqliteDialect, sqliteReaderDialect } from '../sqlite.ts'
import type { Numbers } from './owner-rows.ts'

/*
 * Moves an owner to another installation, as lines of JSON: a header, rows of tables, and checksums. Tables that aren't
 * the owner's, or must not move, such as sessions, are null in COPIED_TABLES.
 */

export interface Header {
  format: string
  schema: readonly string[]
  owner: Insertable<Schema['owners']>
  domains: Insertable<Schema['domains']>[]
  numbers: Numbers
}

export async function inTransaction<T>(
  url: string,
  access: 'read only' | 'read write',
  work: (db: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  const isRead = access === 'read only'
  await using db = new Kysely<Schema>({ dialect: openDialect(url, isRead) })
  return await db
    .transaction()
    .setIsolationLevel(isRead ? 'repeatable read' : 'read committed')
    .execute(async (transaction) => {
      if (isPostgres(transaction)) {
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
      }
      return work(transaction)
    })
}

function openDialect(url: string, isRead: boolean): Dialect {
  if (databaseKind(url) === 'postgres') return postgresDialect(url, PATIENT)
  const path = sqlitePath(url)
  return isRead
    ? sqliteReaderDialect(path)
    : sqliteDialect(path, { timeoutMs: 5_000, mustExist: true })
}

export async function largest(db: Transaction<Schema>, table: keyof Numbers): Promise<number> {
  const { rows } = await sql<{
    id: number | null
  }>`select max(id) as id from ${sql.table(table)}`.execute(db)
  return rows[0]?.id ?? 0
}
