import { PostgresAdapter, SelectQueryNode, type CompiledQuery, type Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** Whether a database, or the one of a transaction, is PostgreSQL. Otherwise, it is SQLite. */
export function isPostgres(db: Kysely<Schema>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** Raw SQL counts as a read only if it starts with `select`. */
export function isSelect({ query, sql }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || /^\s*select\b/i.test(sql)
}
