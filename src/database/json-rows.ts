import { sql, type Kysely, type RawBuilder } from 'kysely'
import { isPostgres } from './dialects.ts'
import type { Schema } from './schema.ts'

/** Rows as a JSON list of lists, so that there is one statement for any number of rows. In SQL, they are `given`. */
export function jsonRows(db: Kysely<Schema>, rows: string): RawBuilder<unknown> {
  return isPostgres(db)
    ? sql`json_array_elements(${rows}::json) as given(value)`
    : sql`json_each(${rows}) as given`
}

/** A value of a given row, by its place. */
export function text(place: number): RawBuilder<string> {
  return sql`(given.value ->> ${sql.lit(place)})`
}

export function number(place: number): RawBuilder<number> {
  return sql`cast(given.value ->> ${sql.lit(place)} as bigint)`
}
