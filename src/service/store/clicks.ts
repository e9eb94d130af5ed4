import { sql, type Kysely } from 'kysely'
import type { ClicksTable, Schema } from '../../database/schema.ts'

/** Rows in one statement: enough to be fast, and few enough that redirects run in between. */
const ROWS_AT_ONCE = 200

/** Adds clicks to the stored counts, in the order of the rows. Each link and day may occur once. */
export async function addClicks(db: Kysely<Schema>, rows: readonly ClicksTable[]): Promise<void> {
  const totals = new Map<string, number>()
  for (const { link_id: id, people } of rows) totals.set(id, (totals.get(id) ?? 0) + people)
  for (const chunk of chunksOf(rows)) {
    await db
      .insertInto('clicks')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.columns(['link_id', 'day']).doUpdateSet({
          people: sql`clicks.people + excluded.people`,
          bots: sql`clicks.bots + excluded.bots`,
        }),
      )
      .execute()
  }
  for (const chunk of chunksOf([...totals].map(([link_id, people]) => ({ link_id, people })))) {
    await db
      .insertInto('click_totals')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.column('link_id').doUpdateSet({
          people: sql`click_totals.people + excluded.people`,
        }),
      )
      .execute()
  }
}

function chunksOf<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, at) =>
    rows.slice(at * ROWS_AT_ONCE, (at + 1) * ROWS_AT_ONCE),
  )
}

/** Returns how many people clicked each link, by link id. Links without such clicks are absent. */
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

/** Returns a link's clicks by day, newest first. */
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
