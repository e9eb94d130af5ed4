import { sql, type Kysely } from 'kysely'
import type { ClicksTable, Schema } from '../../database/schema.ts'

/** Rows in one transaction: enough to be fast, and few enough that redirects run in between. */
export const ROWS_AT_ONCE = 200

/** Adds clicks to the stored counts, at most ROWS_AT_ONCE rows. Each link and day may occur once. */
export async function addClicks(db: Kysely<Schema>, rows: readonly ClicksTable[]): Promise<void> {
  // Always in the same order, so that two processes never wait for each other's locks.
  const sorted = rows.toSorted((one, other) =>
    compare(one.link_id + one.day, other.link_id + other.day),
  )
  await db
    .insertInto('clicks')
    .values(sorted)
    .onConflict((conflict) =>
      conflict.columns(['link_id', 'day']).doUpdateSet({
        people: sql`clicks.people + excluded.people`,
        bots: sql`clicks.bots + excluded.bots`,
      }),
    )
    .execute()
  const totals = new Map<string, number>()
  for (const { link_id: id, people } of sorted) totals.set(id, (totals.get(id) ?? 0) + people)
  await db
    .insertInto('click_totals')
    .values([...totals].map(([link_id, people]) => ({ link_id, people })))
    .onConflict((conflict) =>
      conflict.column('link_id').doUpdateSet({
        people: sql`click_totals.people + excluded.people`,
      }),
    )
    .execute()
}

function compare(one: string, other: string): number {
  return one < other ? -1 : 1
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
