import pg from 'pg'
import { CopyError } from '../errors.ts'
import { migratePostgres } from '../migrate.ts'
import { COPIED_NAMES, DERIVED_COLUMNS, DERIVED_TABLES, type Values } from './tables.ts'

/** PostgreSQL's type id of `int8`, which pg returns as text by default. */
const INT8 = 20

const CONNECT_MS = 5_000

/** How long to wait for a process that uses the tables. */
const LOCK_TIMEOUT = '10s'

/** How many rows are read at once. Preview images are large. */
const READ_AT_ONCE = 100

/** A PostgreSQL database, in one transaction. */
export interface Target {
  query<Row extends object>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
  /** The columns to copy, by table. */
  columns(): Promise<Map<string, string[]>>
  rows(table: string, columns: readonly string[]): AsyncIterable<Values>
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
  const target = await openTarget(url)
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
export async function openTarget(url: string): Promise<Target> {
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
    await connection.query(`begin isolation level read committed;
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
    async columns() {
      const rows = await query<{ table: string; columns: string[] }>(
        `select table_name as table, array_agg(column_name::text order by ordinal_position) as columns
         from information_schema.columns
         where table_schema = current_schema() and table_name = any($1) and column_name <> all($2)
         group by table_name`,
        [COPIED_NAMES, DERIVED_COLUMNS],
      )
      return new Map(rows.map(({ table, columns }) => [table, columns]))
    },
    async *rows(table, columns) {
      await query(`declare copied no scroll cursor for select ${columns.join(', ')} from ${table}`)
      for (;;) {
        const { rows } = await client.query<(string | number | Buffer | null)[]>({
          text: `fetch ${READ_AT_ONCE} from copied`,
          rowMode: 'array',
        })
        yield* rows
        if (rows.length < READ_AT_ONCE) break
      }
      await query('close copied')
    },
    async commit() {
      await query('commit')
    },
    close: () => client.end().catch(() => undefined),
  }
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
