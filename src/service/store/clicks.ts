import { sql, type Kysely } from 'kysely'
import type { ClicksTable, Schema } from '../../database/schema.ts'

/** Rows in one statement: enough to be quick, and few enough to let a redirect in between. */
const ROWS_AT_ONCE = 200

/**
 * Adds to what is counted already, in the order of the rows. A link's day may stand in them only
 * once.
 */
export async function addClicks(db: Kysely<Schema>, rows: readonly ClicksTable[]): Promise<void> {
  const totals = new Map<string, number>()
  for (const { link_id: id, people } of rows) totals.set(id, (totals.get(id) ?? 0) + people)
  for (const some of inParts(rows)) {
    await db
      .insertInto('clicks')
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(['link_id', 'day']).doUpdateSet({
          people: sql`clicks.people + excluded.people`,
          bots: sql`clicks.bots + excluded.bots`,
        }),
      )
      .execute()
  }
  for (const some of inParts([...totals].map(([link_id, people]) => ({ link_id, people })))) {
    await db
      .insertInto('click_totals')
      .values(some)
      .onConflict((conflict) =>
        conflict.column('link_id').doUpdateSet({
          people: sql`click_totals.people + excluded.people`,
        }),
      )
      .execute()
  }
}

function inParts<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, at) =>
    rows.slice(at * ROWS_AT_ONCE, (at + 1) * ROWS_AT_ONCE),
  )
}

/** How often people followed each of the links, by link id; a link that nobody did is missing. */
export async function countClicks(
  db: Kysely<Schema>,
  linkIds: readonly string[],
): Promise<Map<string, number>> {
  if (linkIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('click_totals')
    .selectAll()
    .where('link_id', 'in', linkIds)
    .execute()
  return new Map(rows.map(({ link_id: id, people }) => [id, people]))
}

/** A link's counts by day, the newest first. */
export async function clicksByDay(
  db: Kysely<Schema>,
  linkId: string,
  days: number,
): Promise<ClicksTable[]> {
  return db
    .selectFrom('clicks')
    .selectAll()
    .where('link_id', '=', linkId)
    .orderBy('day', 'desc')
    .limit(days)
    .execute()
}
