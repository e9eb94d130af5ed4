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
 * SQL for whether a value that is in lower case contains a text, in any case. LIKE and, for texts, PostgreSQL's
 * `position` would take quadratic time: a second for 600 values of 1,950 times the same letter.
 */
export function containsText(
  kind: 'sqlite' | 'postgres',
  value: RawBuilder<unknown>,
  text: string,
): RawBuilder<unknown> {
  if (kind === 'sqlite') return sql`instr(${value}, lower(${text})) > 0`
  return sql`position(convert_to(lower(${text}), 'UTF8') in convert_to(${value}, 'UTF8')) > 0`
}

/** SQL for a table `json_row` of the rows in one JSON parameter, `[["id1", 5], ["id2", 7]]`, however many they are. */
export function jsonRows(db: QueryExecutorProvider, rows: string): RawBuilder<unknown> {
  return isPostgres(db)
    ? sql`json_array_elements(${rows}::json) as json_row(value)`
    : sql`json_each(${rows}) as json_row`
}

/** `text(0)` and `number(1)` are the first two values of a `json_row`. */
export function text(index: number): RawBuilder<string> {
  return sql`(json_row.value ->> ${sql.lit(index)})`
}

export function number(index: number): RawBuilder<number> {
  return sql`cast(json_row.value ->> ${sql.lit(index)} as bigint)`
}
