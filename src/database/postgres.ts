import { PostgresDialect } from 'kysely'
import pg from 'pg'

/** PostgreSQL's type number of `int8`, which pg returns as text unless told otherwise. */
const INT8 = 20

/** How long a request waits for a connection before it fails, in milliseconds. */
const CONNECTION_TIMEOUT_MS = 5_000

/** Kysely's PostgresDialect; integers come as numbers (ours are times and counts, below 2^53). */
export function postgresDialect(url: string): PostgresDialect {
  const types = new pg.TypeOverrides()
  types.setTypeParser(INT8, Number)
  const pool = new pg.Pool({
    connectionString: url,
    types,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  })
  // An idle connection that breaks (the server restarts) would end the process if nobody
  // listened. The pool drops it by itself; the next query opens another or fails on its own.
  pool.on('error', () => undefined)
  return new PostgresDialect({ pool })
}
