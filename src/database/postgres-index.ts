import { Kysely, sql } from 'kysely'
import { PATIENT, postgresDialect } from './postgres.ts'

/** Builds an index while others write (`Database.buildIndex`). Several processes can call this at the same time. */
export async function buildPostgresIndex(url: string, name: string, on: string): Promise<boolean> {
  await using db = new Kysely<never>({ dialect: postgresDialect(url, PATIENT) })
  const run = (statement: string) => sql.raw(statement).execute(db)
  const find = async () => {
    const { rows } = await sql<{ isValid: boolean; isBeingBuilt: boolean }>`
      select indisvalid as "isValid", exists (
        select 1 from pg_stat_progress_create_index where index_relid = indexrelid
      ) as "isBeingBuilt"
      from pg_index where indexrelid = to_regclass(${name})`.execute(db)
    return rows[0]
  }
  const existing = await find()
  if (existing?.isValid || existing?.isBeingBuilt) return existing.isValid
  // If a process or the server ends while it builds an index, PostgreSQL keeps an invalid index.
  if (existing) await run(`drop index concurrently if exists ${name}`)
  await run(`create index concurrently if not exists ${name} ${on}`)
  return (await find())?.isValid ?? false
}
