import { PostgresDialect } from 'kysely'
import pg from 'pg'

/** PostgreSQL's type number of `int8`, which pg returns as text unless told otherwise. */
const INT8 = 20

/** Kysely's PostgresDialect; integers come as numbers (ours are times and counts, below 2^53). */
export function postgresDialect(url: string): PostgresDialect {
  const types = new pg.TypeOverrides()
  types.setTypeParser(INT8, Number)
  return new PostgresDialect({ pool: new pg.Pool({ connectionString: url, types }) })
}
