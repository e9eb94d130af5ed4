import { Kysely, sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { databaseKind, sqlitePath } from '../database-url.ts'
import { CopyError } from '../errors.ts'
import { MIGRATION_NAMES } from '../migrations.ts'
import { PATIENT, postgresDialect } from '../postgres.ts'
import type { DbTransaction, Schema } from '../schema.ts'
import { sqliteDialect } from '../sqlite.ts'
import { checksums, countRows, toJson, type Cell } from './checksums.ts'
import { COPIED_NAMES, COPIED_TABLES } from './copy-database.ts'
import { DERIVED_COLUMNS } from './postgres-target.ts'

/*
 * An owner moves to another installation as a file with lines of JSON: a header, batches of rows, and at the end,
 * checksums. Tables that aren't the owner's, or are not moved, such as sessions, are null in COPIED_TABLES.
 */

export const FORMAT = 'backhalf-workspace'

const cell = z.union([z.string(), z.number(), z.instanceof(Uint8Array), z.null()])

const header = z.object({
  format: z.string(),
  /** The migrations of the database. Both databases must have the same. */
  schema: z.array(z.string()),
  owner: z.object({ id: z.string(), name: z.string() }).catchall(cell),
  domains: z.array(
    z
      .object({ id: z.string(), domain_name: z.string(), owner_id: z.string().nullable() })
      .catchall(cell),
  ),
})

export type Header = z.infer<typeof header>

export const lineSchema = z.union([
  header,
  z.object({ table: z.string(), columns: z.array(z.string()), rows: z.array(z.array(cell)) }),
  z.object({ end: z.record(z.string(), z.object({ rows: z.number(), sum: z.string() })) }),
])

export type Line = z.infer<typeof lineSchema>

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

/**
 * Exports an owner, such as a workspace, to lines of JSON that importOwner reads. All lines are read in one
 * transaction, so they fit together. The exported API keys are revoked and have no hash.
 * @returns how many rows were exported
 */
export async function exportOwner(
  url: string,
  ownerId: string,
  { now, write }: { now: number; write: (line: string) => unknown },
): Promise<number> {
  return inTransaction(url, 'read', async (db) => {
    if (await db.selectFrom('backfills').select('name').executeTakeFirst()) {
      throw new CopyError(
        'The upgrade of the database is not finished. `npm run doctor` says when it is.',
      )
    }
    const print = (line: object): unknown => write(`${JSON.stringify(line)}\n`)
    const owners = db.selectFrom('owners').selectAll().where('id', '=', ownerId)
    const isUsed = sql<boolean>`(owner_id = ${ownerId}
      or id in (select domain_id from links where owner_id = ${ownerId}))`
    const header: Header = {
      format: FORMAT,
      schema: [...MIGRATION_NAMES],
      owner: await owners.executeTakeFirstOrThrow(),
      domains: await db.selectFrom('domains').selectAll().where(isUsed).execute(),
    }
    print(header)
    const sums = await checksums(ownedRows(db, ownerId, now), (batch) =>
      print({ ...batch, rows: batch.rows.map((row) => row.map(toJson)) }),
    )
    print({ end: sums })
    return countRows(sums)
  })
}

/** The tables with rows of an owner, and the column by which these rows are found. */
export const MOVED_TABLES = COPIED_NAMES.flatMap((name) => {
  const ownedBy = COPIED_TABLES[name]
  return ownedBy === null || ownedBy === 'header' ? [] : [{ name, ownedBy }]
})

const GENERATED_COLUMNS: Partial<Record<keyof Schema, string[]>> = {
  link_history: ['id'],
  click_totals: ['segment_id'],
}

const LINKS_AT_ONCE = 100

/** Reads an owner's rows, table by table. @param revokedAt for an export. Without it, rows are read as they are stored */
export async function* ownedRows(db: DbTransaction, ownerId: string, revokedAt?: number) {
  // An earlier short URL refers to its link, so it comes after the links.
  const { rows: links } = await sql<{ id: string }>`select id from links where owner_id = ${ownerId}
    order by case when alias_of is null then 0 else 1 end, id`.execute(db)
  const linkIds = links.map(({ id }) => id)
  const tables = await db.introspection.getTables()
  for (const { name: table, ownedBy } of MOVED_TABLES) {
    const ignoredColumns = [...DERIVED_COLUMNS, ...(GENERATED_COLUMNS[table] ?? [])]
    const columns = (tables.find(({ name }) => name === table)?.columns ?? [])
      .map(({ name }) => name)
      .filter((name) => !ignoredColumns.includes(name))
      .sort()
    const list = sql.join(columns.map((name) => exported(table, name, revokedAt)))
    const order = table === 'link_history' ? sql`order by id` : sql``
    const ids = ownedBy === 'owner_id' ? [ownerId] : linkIds
    for (let start = 0; start === 0 || start < ids.length; start += LINKS_AT_ONCE) {
      // SQL has no empty lists. The null makes the list of an owner without links valid, and equals no ID.
      const someIds = sql.join([...ids.slice(start, start + LINKS_AT_ONCE), null])
      const { rows } = await sql<Record<string, Cell>>`select ${list} from ${sql.table(table)}
        where ${sql.ref(ownedBy)} in (${someIds}) ${order}`.execute(db)
      yield { table, columns, rows: rows.map((row) => Object.values(row)) }
    }
  }
}

// Selects a column. An export holds no secret, so in it, API keys are revoked and have no hash.
function exported(table: string, column: string, revokedAt?: number): RawBuilder<unknown> {
  if (table !== 'api_keys' || revokedAt === undefined) return sql.ref(column)
  if (column === 'hash') return sql`'moved ' || id as hash`
  if (column === 'revoked_at') return sql`coalesce(revoked_at, ${revokedAt}) as revoked_at`
  return sql.ref(column)
}
