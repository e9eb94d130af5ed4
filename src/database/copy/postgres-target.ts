import pg from 'pg'
import { migratePostgres } from '../migrate.ts'
import {
  BATCH,
  COPIED_NAMES,
  CopyError,
  DERIVED_COLUMNS,
  DERIVED_TABLES,
  type Values,
} from './tables.ts'

/** PostgreSQL's type id of `int8`, which pg returns as text by default. */
const INT8 = 20

const CONNECT_MS = 5_000

/** How long to wait for a process that uses the tables. */
const LOCK_TIMEOUT = '10s'

/** A table as PostgreSQL's catalog describes it. */
export interface TargetTable {
  name: string
  columns: readonly string[]
  /** Those of `columns` that hold texts. */
  texts: ReadonlySet<string>
  primaryKey: readonly string[]
}

/** A PostgreSQL database, in one transaction. */
export interface Target {
  query<Row extends object>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
  tables(): Promise<TargetTable[]>
  /** Reads all rows. @param batch how many at once. @param orderBy names of columns; compared by their bytes */
  rows(
    table: TargetTable,
    options?: { batch?: number | undefined; orderBy?: readonly string[] },
  ): AsyncIterable<Values>
  commit(): Promise<void>
  /** Closes the connection. What is not committed is undone. */
  close(): Promise<void>
}

/**
 * Creates the tables if they don't exist.
 *
 * @throws CopyError if the database has tables of other programs
 */
export async function prepareTarget(url: string): Promise<void> {
  const target = await openTarget(url, 'read committed')
  try {
    const ours = [...COPIED_NAMES, ...DERIVED_TABLES]
    const others = await target.query<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name <> all($1) order by 1`,
      [ours],
    )
    if (others.length > 0) {
      const names = others.map(({ name }) => name)
      throw new CopyError(
        `The PostgreSQL database has tables that are not Backhalf’s: ${names.slice(0, 5).join(', ')}. Create an empty database for Backhalf.`,
      )
    }
  } finally {
    await target.close()
  }
  await withReason('The tables can’t be created in the PostgreSQL database', () =>
    migratePostgres(url),
  )
}

/**
 * Begins a transaction.
 *
 * @throws CopyError that contains neither the URL nor its password
 */
export async function openTarget(
  url: string,
  isolation: 'read committed' | 'repeatable read',
): Promise<Target> {
  const types = new pg.TypeOverrides()
  types.setTypeParser(INT8, Number)
  const client = await withReason('The PostgreSQL database can’t be reached', async () => {
    const connection = new pg.Client({
      connectionString: url,
      fallback_application_name: 'backhalf',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      types,
    })
    // Without a listener, a broken connection would end the process. The next query fails instead.
    connection.on('error', () => undefined)
    await connection.connect()
    // The settings of the server would end a copy that takes long.
    await connection.query(`begin isolation level ${isolation};
        set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
        set local lock_timeout = '${LOCK_TIMEOUT}'`)
    return connection
  })
  const query = async <Row extends object>(
    sql: string,
    parameters: readonly unknown[] = [],
  ): Promise<Row[]> => (await client.query<Row>(sql, [...parameters])).rows
  return {
    query,
    tables: () => readTables(query),
    async *rows({ name, columns, texts }, { batch = BATCH, orderBy = [] } = {}) {
      const order = orderBy
        .map((column) => (texts.has(column) ? `${column} collate "C"` : column))
        .join(', ')
      await query(
        `declare copied no scroll cursor for select ${columns.join(', ')} from ${name}${order && ` order by ${order}`}`,
      )
      for (;;) {
        const { rows } = await client.query<(string | number | Buffer | null)[]>({
          text: `fetch ${batch} from copied`,
          rowMode: 'array',
        })
        yield* rows
        if (rows.length < batch) break
      }
      await query('close copied')
    },
    async commit() {
      await query('commit')
    },
    close: () => client.end().catch(() => undefined),
  }
}

async function readTables(query: Target['query']): Promise<TargetTable[]> {
  const columns = await query<{ table_name: string; name: string; type: string }>(
    `select table_name, column_name as name, data_type as type from information_schema.columns
     where table_schema = current_schema() and table_name = any($1) and column_name <> all($2)
     order by table_name, ordinal_position`,
    [COPIED_NAMES, DERIVED_COLUMNS],
  )
  const keys = await query<{ table_name: string; name: string }>(
    `select relname as table_name, attname as name
     from pg_index join pg_class on pg_class.oid = indrelid
       cross join lateral unnest(indkey) with ordinality as part (number, position)
       join pg_attribute on attrelid = indrelid and attnum = part.number
     where indisprimary and relnamespace = current_schema()::regnamespace and relname = any($1)
     order by relname, part.position`,
    [COPIED_NAMES],
  )
  return COPIED_NAMES.map((name) => {
    const own = columns.filter((column) => column.table_name === name)
    return {
      name,
      columns: own.map((column) => column.name),
      texts: new Set(own.filter(({ type }) => type === 'text').map((column) => column.name)),
      primaryKey: keys.filter((key) => key.table_name === name).map((key) => key.name),
    }
  })
}

async function withReason<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new CopyError(`${what}: ${reasonOf(cause)}`, { cause })
  }
}

/** An invalid URL is part of Node's error about it, but not of its message. */
function reasonOf(cause: unknown): string {
  const error: unknown = cause instanceof AggregateError ? cause.errors[0] : cause
  return error instanceof Error ? error.message : 'it failed'
}
