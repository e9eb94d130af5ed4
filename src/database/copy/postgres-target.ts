import pg from 'pg'
import { CopyError } from '../errors.ts'
import { migratePostgres } from '../migrate.ts'

/** What PostgreSQL has besides the copied data. Kysely and a trigger of `links` fill it. */
export const DERIVED_TABLES = ['kysely_migration', 'kysely_migration_lock']
const DERIVED_COLUMNS = ['sort_title', 'search_text']

/** PostgreSQL's type id of `int8`, which pg returns as text by default. */
const INT8 = 20

const CONNECT_MS = 5_000

/** How long to wait for a process that uses the tables. */
const LOCK_TIMEOUT = '10s'

/** How many rows are read at once. Preview images are large. */
const READ_AT_ONCE = 100

/** A row's values, in the order of its table's columns in PostgreSQL. */
export type Values = readonly (string | number | Uint8Array | null)[]

/** An empty PostgreSQL database with all tables, in one transaction. */
export type Target = Awaited<ReturnType<typeof openTarget>>

/** The counts and totals that this trigger keeps are copied. Other processes that are notified can't have read a row. */
const NOT_RUN = { links: 'links_added', link_history: 'link_history_added' }

/**
 * Creates the tables if they don't exist, begins a transaction, and locks the tables until it ends.
 *
 * @throws CopyError that contains neither the URL nor its password
 */
export async function openTarget(url: string, tables: readonly string[]) {
  const client = await withReason('The PostgreSQL database can’t be reached', () => connect(url))
  const query = queryOf(client)
  try {
    const others = await query<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name <> all($1) order by 1`,
      [[...tables, ...DERIVED_TABLES]],
    )
    if (others.length > 0) {
      const names = others.map(({ name }) => name)
      throw new CopyError(
        `The PostgreSQL database has tables that are not Backhalf’s: ${names.slice(0, 5).join(', ')}. Create an empty database for Backhalf.`,
      )
    }
    await withReason('The tables can’t be created in the PostgreSQL database', () =>
      migratePostgres(url),
    )
    // The settings of the server would end a copy that takes long.
    await client.query(`begin isolation level read committed;
      set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
      set local lock_timeout = '${LOCK_TIMEOUT}'`)
    await query(`lock table ${tables.join(', ')} in access exclusive mode`).catch(
      (cause: unknown) => {
        throw new CopyError('The PostgreSQL database is in use. Stop Backhalf there too.', {
          cause,
        })
      },
    )
    for (const table of tables) {
      // Migrations add the built-in domain record.
      const but = table === 'domains' ? ` where id <> 'default'` : ''
      if ((await query(`select 1 from ${table}${but} limit 1`)).length === 0) continue
      throw new CopyError(
        `The PostgreSQL database is not empty: ${table} has rows. Create an empty database.`,
      )
    }
    await query('delete from domains')
    const found = await query<{ table: string; columns: string[] }>(
      `select table_name as table, array_agg(column_name::text order by ordinal_position) as columns
       from information_schema.columns
       where table_schema = current_schema() and table_name = any($1) and column_name <> all($2)
       group by table_name`,
      [tables, DERIVED_COLUMNS],
    )
    return targetOf(client, new Map(found.map(({ table, columns }) => [table, columns])))
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

async function connect(url: string): Promise<pg.Client> {
  const types = new pg.TypeOverrides()
  types.setTypeParser(INT8, Number)
  const client = new pg.Client({
    connectionString: url,
    fallback_application_name: 'backhalf',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    types,
  })
  // Without a listener, a broken connection would end the process. The next query fails instead.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

function queryOf(client: pg.Client) {
  return async <Row extends object>(sql: string, parameters: readonly unknown[] = []) =>
    (await client.query<Row>(sql, [...parameters])).rows
}

function targetOf(client: pg.Client, columns: ReadonlyMap<string, readonly string[]>) {
  const query = queryOf(client)
  const listOf = (table: string): string => (columns.get(table) ?? []).join(', ')
  const setTriggers = async (what: 'disable' | 'enable'): Promise<void> => {
    for (const [table, trigger] of Object.entries(NOT_RUN)) {
      await query(`alter table ${table} ${what} trigger ${trigger}`)
    }
  }
  return {
    query,
    /** The columns to copy, by table. */
    columns,
    /**
     * Drops the indexes that no constraint needs, because building them afterwards is much faster, and turns off
     * triggers.
     *
     * @returns a function that restores both
     */
    async dropIndexesAndTriggers(): Promise<() => Promise<void>> {
      const indexes = await query<{ name: string; definition: string }>(
        `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
         from pg_index join pg_class on pg_class.oid = indrelid
         where relnamespace = current_schema()::regnamespace and not indisunique and relname = any($1)`,
        [[...columns.keys()]],
      )
      for (const { name } of indexes) await query(`drop index ${name}`)
      await setTriggers('disable')
      return async () => {
        for (const { definition } of indexes) await query(definition)
        await setTriggers('enable')
        // New rows get ids after those of the copied ones.
        for (const table of ['link_history', 'segments']) {
          await query(`select setval(pg_get_serial_sequence('${table}', 'id'), max(id))
            from ${table} having count(*) > 0`)
        }
      }
    },
    // PostgreSQL turns JSON into rows of any types.
    async insert(table: string, rows: readonly Values[]): Promise<void> {
      const names = columns.get(table) ?? []
      const objects = rows.map((row) =>
        Object.fromEntries(
          row.map((value, at) => [
            names[at] ?? '',
            value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value,
          ]),
        ),
      )
      await withReason(`Nothing was copied, because ${table} can’t be`, () =>
        query(
          `insert into ${table} (${listOf(table)})
           select ${listOf(table)} from json_populate_recordset(null::${table}, $1)`,
          [JSON.stringify(objects)],
        ),
      )
    },
    /** Reads all rows of a table. */
    async *rows(table: string): AsyncIterable<Values> {
      await query(`declare copied no scroll cursor for select ${listOf(table)} from ${table}`)
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
    async commit(): Promise<void> {
      await query('commit')
    },
    /** Closes the connection. What is not committed is undone. */
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
  if (error instanceof pg.DatabaseError && error.detail) return `${error.message} (${error.detail})`
  return error instanceof Error ? error.message : 'it failed'
}
