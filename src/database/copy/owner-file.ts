import { Kysely, sql, type Insertable, type Transaction } from 'kysely'
import { databaseKind, sqlitePath } from '../database-url.ts'
import { postgresDialect } from '../postgres.ts'
import type { Schema } from '../schema.ts'
import { sqliteDialect, sqliteReaderDialect } from '../sqlite.ts'
import type { Numbers } from './owner-rows.ts'
import { LIMITS } from './postgres-target.ts'

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
  const [isSqlite, isRead] = [databaseKind(url) === 'sqlite', access === 'read only']
  const dialect = !isSqlite
    ? postgresDialect(url, LIMITS)
    : isRead
      ? sqliteReaderDialect(sqlitePath(url))
      : sqliteDialect(sqlitePath(url), { timeoutMs: 5_000, mustExist: true })
  const db = new Kysely<Schema>({ dialect })
  const level = isRead ? 'repeatable read' : 'read committed'
  try {
    return await db
      .transaction()
      .setIsolationLevel(level)
      .execute(async (transaction) => {
        if (!isSqlite) {
          await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
        }
        return work(transaction)
      })
  } finally {
    await db.destroy()
  }
}

export async function largest(db: Transaction<Schema>, table: keyof Numbers): Promise<number> {
  const { rows } = await sql<{
    id: number | null
  }>`select max(id) as id from ${sql.table(table)}`.execute(db)
  return rows[0]?.id ?? 0
}
