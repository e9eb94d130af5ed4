import { sql, type Transaction } from 'kysely'
import { CopyError } from '../errors.ts'
import { migrateWithin, tableNames } from '../migrations.ts'
import type { Schema } from '../schema.ts'
import type { Cell, RowBatch } from './checksums.ts'

/** Columns of `links` that only PostgreSQL has. They are not copied, because a trigger fills them. */
export const DERIVED_COLUMNS = ['sort_title', 'search_text']

const READ_AT_ONCE = 100

/** @returns the columns of each table */
export async function createTables(db: Transaction<never>): Promise<Map<string, string[]>> {
  const existing = await tableNames(db)
  if (existing.length > 0) {
    throw new CopyError(
      `The PostgreSQL database is not empty. It has tables: ${existing.slice(0, 5).join(', ')}. Create an empty database for Backhalf.`,
    )
  }
  // While SQLite is read, the transaction is idle. By default, PostgreSQL might end it then.
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
  await withReason('The tables can’t be created in the PostgreSQL database', () =>
    migrateWithin(db),
  )
  // The migrations add the built-in domain record, but the copied rows contain it, too.
  await sql`delete from domains`.execute(db)
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select table_name as table, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns
    where table_schema = current_schema() and column_name not in (${sql.join(DERIVED_COLUMNS)})
    group by table_name`.execute(db)
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

/** Drops indexes and turns off triggers, which would slow or change the copy. @returns a function that restores both */
export async function dropIndexesAndTriggers(db: Transaction<never>): Promise<() => Promise<void>> {
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db)
  const setTriggers = async (to: 'disable' | 'enable'): Promise<void> => {
    await run(`alter table links ${to} trigger links_added`)
    await run(`alter table link_history ${to} trigger changes_of_1_0_0`)
  }
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = current_schema()::regnamespace and not indisunique`.execute(db)
  for (const { name } of indexes) await run(`drop index ${name}`)
  await setTriggers('disable')
  return async () => {
    for (const { definition } of indexes) await run(definition)
    await setTriggers('enable')
    // New rows get ids after those of the copied ones.
    for (const table of ['link_history', 'segments']) {
      await run(`select setval(pg_get_serial_sequence('${table}', 'id'), max(id))
        from ${table} having count(*) > 0`)
    }
  }
}

export async function insertRows(db: Transaction<never>, { table, columns, rows }: RowBatch) {
  const objects = rows.map((row) =>
    Object.fromEntries(
      row.map((value, index) => [
        columns[index] ?? '',
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
  db: Transaction<never>,
  table: keyof Schema,
  columns: readonly string[],
): AsyncIterable<RowBatch> {
  const list = sql.join(columns.map((name) => sql.ref(name)))
  await sql`declare copied no scroll cursor for select ${list} from ${sql.table(table)}`.execute(db)
  for (;;) {
    const { rows } = await sql<
      Record<string, Cell>
    >`fetch ${sql.lit(READ_AT_ONCE)} from copied`.execute(db)
    yield { table, columns, rows: rows.map((row) => Object.values(row)) }
    if (rows.length < READ_AT_ONCE) break
  }
  await sql`close copied`.execute(db)
}

/** @throws CopyError that begins with `failure`, and has no URL and password of a database */
export async function withReason<T>(failure: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const { message, detail } = cause as Error & { detail?: string }
    throw new CopyError(`${failure}: ${message}${detail ? ` (${detail})` : ''}`, { cause })
  }
}
