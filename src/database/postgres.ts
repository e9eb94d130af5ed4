import { PostgresDialect } from 'kysely'
import pg from 'pg'

/** PostgreSQL's type id of `int8`, which pg returns as text by default. */
const INT8 = 20

/** How long a query waits for a connection before it fails, in milliseconds. */
const CONNECTION_TIMEOUT_MS = 5_000

/** Kysely's PostgresDialect, with integers as numbers: our times and counts are below 2^53. */
export function postgresDialect(url: string, options: pg.PoolConfig = {}): PostgresDialect {
  const types = new pg.TypeOverrides()
  types.setTypeParser(INT8, Number)
  const pool = new pg.Pool({
    connectionString: url,
    types,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    ...options,
  })
  // Without a listener, a broken idle connection would end the process, for example when the server
  // restarts. The pool drops such a connection itself, and the next query opens another one.
  pool.on('error', () => undefined)
  return new PostgresDialect({ pool })
}
