import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { Schema } from '../schema.ts'
import type { Rows, Values } from './checksums.ts'
import { COPIED_NAMES, COPIED_TABLES } from './copy-database.ts'
import { DERIVED_COLUMNS } from './postgres-target.ts'

export const MOVED = COPIED_NAMES.flatMap((table) => {
  const by = COPIED_TABLES[table]
  return by === null || by === 'header' ? [] : [{ table, by }]
})

/** Columns with numbers that are different in each database, and the table that gives the numbers. */
const NUMBERED: Readonly<Record<string, ['id' | 'segment_id', 'segments' | 'link_history']>> = {
  segments: ['id', 'segments'],
  segment_clicks: ['segment_id', 'segments'],
  click_totals: ['segment_id', 'segments'],
  link_history: ['id', 'link_history'],
}

export type Numbers = Record<'segments' | 'link_history', number>

const READ_AT_ONCE = 100

export const NO_SHIFT: Numbers = { segments: 0, link_history: 0 }

/** @param sign 1: from the other database to this one, -1: back */
export function shifted({ table, columns, rows }: Rows, shift: Numbers, sign: 1 | -1): Values[] {
  const [column = '', of] = NUMBERED[table] ?? []
  const place = columns.indexOf(column)
  if (of === undefined) return rows
  return rows.map((row) =>
    row.map((value, at) =>
      at === place && value !== null ? Number(value) + sign * shift[of] : value,
    ),
  )
}

/** Reads an owner's rows, with the numbers of the other database. Each table has at least one part, which can be empty. */
export async function* ownedRows(
  db: Transaction<Schema>,
  ownerId: string,
  shift: Numbers,
  revokedAt: number | undefined,
): AsyncIterable<Rows> {
  const of = async (table: 'links' | 'segments', order: RawBuilder<unknown>) => {
    const { rows } = await sql<{ id: string | number }>`select id from ${sql.table(table)}
      where owner_id = ${ownerId} order by ${order}`.execute(db)
    return rows.map(({ id }) => id)
  }
  // An earlier short URL refers to its link.
  const links = await of('links', sql`case when alias_of is null then 0 else 1 end, id`)
  const keys = {
    owner_id: [ownerId],
    id: links,
    link_id: links,
    segment_id: await of('segments', sql`id`),
  }
  const tables = await db.introspection.getTables()
  for (const { table, by } of MOVED) {
    const found = tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
    const columns = found.filter((name) => !DERIVED_COLUMNS.includes(name)).sort()
    const list = sql.join(
      columns.map((name) =>
        revokedAt === undefined ? sql.ref(name) : exported(table, name, revokedAt),
      ),
    )
    const values = keys[by]
    for (let at = 0; at === 0 || at < values.length; at += READ_AT_ONCE) {
      const some = values.slice(at, at + READ_AT_ONCE)
      const { rows } = await sql<Record<string, Values[number]>>`
        select ${list} from ${sql.table(table)} where ${sql.ref(by)} in (${sql.join([...some, null])})`.execute(
        db,
      )
      const part = { table, columns, rows: rows.map((row) => Object.values(row)) }
      yield { ...part, rows: shifted(part, shift, -1) }
    }
  }
}

/** An export holds no secret, not even the hash of a key. */
function exported(table: keyof Schema, column: string, revokedAt: number): RawBuilder<unknown> {
  if (table !== 'api_keys') return sql.ref(column)
  if (column === 'hash') return sql`'moved ' || id as hash`
  if (column === 'revoked_at') return sql`coalesce(revoked_at, ${revokedAt}) as revoked_at`
  return sql.ref(column)
}
