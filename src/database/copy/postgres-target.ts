import { Kysely, sql } from 'kysely'
import { CopyError } from '../errors.ts'
import { migrateWithin, tableNames } from '../migrate.ts'
import { PATIENT, postgresDialect } from '../postgres.ts'
import type { Schema } from '../schema.ts'
import type { Rows, Values } from './checksums.ts'

/** Columns that PostgreSQL has besides the copied data. A trigger of `links` fills them. */
export const DERIVED_COLUMNS = ['sort_title', 'search_text']

const READ_AT_ONCE = 100

export type Target = Awaited<ReturnType<typeof openTarget>>

/**
 * Begins a transaction and creates the tables in it. No other process can see them before the commit.
 *
 * @throws CopyError that contains neither the URL nor its password
 */
export async function openTarget(url: string, tables: readonly string[]) {
  await using opened = new AsyncDisposableStack()
  const db = opened.use(new Kysely<never>({ dialect: postgresDialect(url, PATIENT) }))
  const transaction = await withReason('The PostgreSQL database can’t be used', () =>
    db.startTransaction().setIsolationLevel('read committed').execute(),
  )
  opened.defer(async () => {
    if (!transaction.isCommitted) await transaction.rollback().execute()
  })
  // The transaction is idle while SQLite is read, and PostgreSQL must not end it then.
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
  const existing = await tableNames(transaction)
  if (existing.length > 0) {
    throw new CopyError(
      `The PostgreSQL database is not empty. It has tables: ${existing.slice(0, 5).join(', ')}. Create an empty database for Backhalf.`,
    )
  }
  await withReason('The tables can’t be created in the PostgreSQL database', () =>
    migrateWithin(transaction),
  )
  // The migrations add the built-in domain record, but the copied rows contain it, too.
  await sql`delete from domains`.execute(transaction)
  const { rows } = await sql<{ table: string; columns: readonly string[] }>`
    select table_name as table, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns
    where table_schema = current_schema() and table_name in (${sql.join(tables)})
      and column_name not in (${sql.join(DERIVED_COLUMNS)})
    group by table_name`.execute(transaction)
  const resources = opened.move()
  return {
    db: transaction,
    columns: new Map(rows.map(({ table, columns }) => [table, columns])),
    /** Also collects the statistics for query plans. If that fails, PostgreSQL does so itself, but only later. */
    async commit(): Promise<void> {
      await transaction.commit().execute()
      await sql`vacuum (analyze) ${sql.join(tables.map((table) => sql.table(table)))}`
        .execute(db)
        .catch(() => undefined)
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

const ROW_ADDING_TRIGGERS = [
  ['links', 'links_added'],
  ['link_history', 'changes_of_1_0_0'],
] as const

/**
 * Drops the indexes that no constraint needs, because building them afterwards is much faster, and turns off triggers
 * that add rows, because these are copied.
 */
export async function dropIndexesAndTriggers(target: Target): Promise<() => Promise<void>> {
  const { db, columns } = target
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db)
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = current_schema()::regnamespace and not indisunique
      and relname in (${sql.join([...columns.keys()])})`.execute(db)
  for (const { name } of indexes) await run(`drop index ${name}`)
  for (const [table, name] of ROW_ADDING_TRIGGERS)
    await run(`alter table ${table} disable trigger ${name}`)
  return async () => {
    for (const { definition } of indexes) await run(definition)
    for (const [table, name] of ROW_ADDING_TRIGGERS)
      await run(`alter table ${table} enable trigger ${name}`)
    // New rows get ids after those of the copied ones.
    for (const table of ['link_history', 'segments']) {
      await run(`select setval(pg_get_serial_sequence('${table}', 'id'), max(id))
        from ${table} having count(*) > 0`)
    }
  }
}

export async function insertRows({ db }: Target, { table, columns, rows }: Rows): Promise<void> {
  const objects = rows.map((row) =>
    Object.fromEntries(
      row.map((value, at) => [
        columns[at] ?? '',
        value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value,
      ]),
    ),
  )
  const list = sql.join(columns.map((name) => sql.ref(name)))
  await withReason(`Nothing was copied, because ${table} can’t be`, () =>
    sql`insert into ${sql.table(table)} (${list}) select ${list}
      from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(objects)})`.execute(
      db,
    ),
  )
}

export async function* readRows(
  { db, columns: columnsByTable }: Target,
  table: keyof Schema,
): AsyncIterable<Rows> {
  const columns = columnsByTable.get(table) ?? []
  const list = sql.join(columns.map((name) => sql.ref(name)))
  await sql`declare copied no scroll cursor for select ${list} from ${sql.table(table)}`.execute(db)
  for (;;) {
    const { rows } = await sql<
      Record<string, Values[number]>
    >`fetch ${sql.lit(READ_AT_ONCE)} from copied`.execute(db)
    yield { table, columns, rows: rows.map((row) => Object.values(row)) }
    if (rows.length < READ_AT_ONCE) break
  }
  await sql`close copied`.execute(db)
}

async function withReason<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const { message, detail } = cause as Error & { detail?: string }
    throw new CopyError(`${what}: ${message}${detail ? ` (${detail})` : ''}`, { cause })
  }
}
