import { sql, type RawBuilder } from 'kysely'
import type { DatabaseKind } from './database.ts'

/**
 * SQL for whether a text contains another one. Case is ignored (on SQLite, only that of ASCII letters).
 *
 * LIKE would take quadratic time: a second for 600 texts of 1,950 times the same letter. So would PostgreSQL's
 * `position` of texts, but not that of bytes.
 *
 * @param value in lower case
 */
export function containsText(
  kind: DatabaseKind,
  value: RawBuilder<unknown>,
  text: string,
): RawBuilder<unknown> {
  if (kind === 'sqlite') return sql`instr(${value}, lower(${text})) > 0`
  return sql`position(convert_to(lower(${text}), 'UTF8') in convert_to(${value}, 'UTF8')) > 0`
}
