import {
  type CompiledQuery,
  PostgresAdapter,
  type QueryExecutorProvider,
  type RawBuilder,
  SelectQueryNode,
  sql,
} from 'kysely'

export function isPostgres(db: QueryExecutorProvider): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

export function isSelect({ query, sql }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || /^\s*select\b/i.test(sql)
}

/**
 * SQL for whether a text in lower case contains another one. LIKE would take quadratic time: a second for 600 texts of
 * 1,950 times the same letter. So would PostgreSQL's `position` of texts, but not that of bytes.
 */
export function containsText(
  kind: 'sqlite' | 'postgres',
  value: RawBuilder<unknown>,
  text: string,
): RawBuilder<unknown> {
  if (kind === 'sqlite') return sql`instr(${value}, lower(${text})) > 0`
  return sql`position(convert_to(lower(${text}), 'UTF8') in convert_to(${value}, 'UTF8')) > 0`
}

/**
 * SQL for a table `given` of rows that are passed as JSON, `[["id1", 5], ["id2", 7]]`, so that one statement fits any
 * number of rows.
 */
export function jsonRows(db: QueryExecutorProvider, rows: string): RawBuilder<unknown> {
  return isPostgres(db)
    ? sql`json_array_elements(${rows}::json) as given(value)`
    : sql`json_each(${rows}) as given`
}

// text(0) → the first value of each row of jsonRows
export function text(place: number): RawBuilder<string> {
  return sql`(given.value ->> ${sql.lit(place)})`
}

export function number(place: number): RawBuilder<number> {
  return sql`cast(given.value ->> ${sql.lit(place)} as bigint)`
}
