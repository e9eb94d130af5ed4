import { Kysely, sql, type Insertable, type RawBuilder } from 'kysely'
import { databaseKind, sqlitePath } from '../database-url.ts'
import { PATIENT, postgresDialect } from '../postgres.ts'
import type { DbTransaction, Schema } from '../schema.ts'
import { sqliteDialect } from '../sqlite.ts'
import type { Rows, Values } from './checksums.ts'
import { COPIED_NAMES, COPIED_TABLES } from './copy-database.ts'
import { DERIVED_COLUMNS } from './postgres-target.ts'

/*
 * Moves an owner to another installation, as lines of JSON: a header, rows of tables, and checksums. Tables that aren't
 * the owner's, or must not move, such as sessions, are null in COPIED_TABLES.
 */

export interface Header {
  format: string
  schema: readonly string[]
  owner: Insertable<Schema['owners']>
  domains: Insertable<Schema['domains']>[]
}

export async function inTransaction<T>(
  url: string,
  access: 'read' | 'write',
  work: (db: DbTransaction) => Promise<T>,
): Promise<T> {
  const onPostgres = databaseKind(url) === 'postgres'
  const dialect = onPostgres
    ? postgresDialect(url, PATIENT)
    : sqliteDialect(sqlitePath(url), { timeoutMs: 5_000, access })
  await using db = new Kysely<Schema>({ dialect })
  return await db
    .transaction()
    .setIsolationLevel(access === 'read' ? 'repeatable read' : 'read committed')
    .execute(async (transaction) => {
      if (onPostgres) {
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
      }
      return work(transaction)
    })
}

export const MOVED = COPIED_NAMES.flatMap((table) => {
  const by = COPIED_TABLES[table]
  return by === null || by === 'header' ? [] : [{ table, by }]
})

const GENERATED_COLUMNS = ['link_history.id', 'click_totals.segment_id']

const READ_AT_ONCE = 100

/**
 * Reads an owner's rows, table by table, in parts. Each table has at least one part, which can be empty.
 * @param revokedAt for an export, which revokes the API keys
 */
export async function* ownedRows(
  db: DbTransaction,
  ownerId: string,
  revokedAt?: number,
): AsyncIterable<Rows> {
  // An earlier short URL refers to its link.
  const { rows: links } = await sql<{ id: string }>`select id from links where owner_id = ${ownerId}
    order by case when alias_of is null then 0 else 1 end, id`.execute(db)
  const linkIds = links.map(({ id }) => id)
  const tables = await db.introspection.getTables()
  for (const { table, by } of MOVED) {
    const found = tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
    const columns = found
      .filter(
        (name) =>
          !DERIVED_COLUMNS.includes(name) && !GENERATED_COLUMNS.includes(`${table}.${name}`),
      )
      .sort()
    const list = sql.join(columns.map((name) => exported(table, name, revokedAt)))
    const order = table === 'link_history' ? sql`order by id` : sql``
    const values = by === 'owner_id' ? [ownerId] : linkIds
    for (let start = 0; start === 0 || start < values.length; start += READ_AT_ONCE) {
      const ids = sql.join([...values.slice(start, start + READ_AT_ONCE), null])
      const { rows } = await sql<Record<string, Values[number]>>`
        select ${list} from ${sql.table(table)} where ${sql.ref(by)} in (${ids}) ${order}`.execute(
        db,
      )
      yield { table, columns, rows: rows.map((row) => Object.values(row)) }
    }
  }
}

/** Selects a column. An export holds no secret, so in it, API keys are revoked and have no hash. */
function exported(table: string, column: string, revokedAt?: number): RawBuilder<unknown> {
  if (table !== 'api_keys' || revokedAt === undefined) return sql.ref(column)
  if (column === 'hash') return sql`'moved ' || id as hash`
  if (column === 'revoked_at') return sql`coalesce(revoked_at, ${revokedAt}) as revoked_at`
  return sql.ref(column)
}
