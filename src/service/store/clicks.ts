import { sql, type Kysely } from 'kysely'
import type { ClicksTable, Schema } from '../../database/schema.ts'

/** Rows in one statement: enough to be quick, and few enough to let a redirect in between. */
const ROWS_AT_ONCE = 200

/** Adds to what is counted already. A link's day may stand in the rows only once. */
export async function addClicks(db: Kysely<Schema>, rows: readonly ClicksTable[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await db
      .insertInto('clicks')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .onConflict((conflict) =>
        conflict.columns(['link_id', 'day']).doUpdateSet({
          people: sql`clicks.people + excluded.people`,
          bots: sql`clicks.bots + excluded.bots`,
        }),
      )
      .execute()
  }
}

/** How often people followed each of the links, by link id; a link that nobody did is missing. */
export async function countClicks(
  db: Kysely<Schema>,
  linkIds: readonly string[],
): Promise<Map<string, number>> {
  if (linkIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('clicks')
    .select('link_id')
    // PostgreSQL's sum of bigint is a decimal number, which arrives as text.
    .select((select) => sql<string | number>`${select.fn.sum('people')}`.as('people'))
    .where('link_id', 'in', linkIds)
    .groupBy('link_id')
    .execute()
  return new Map(rows.map(({ link_id: id, people }) => [id, Number(people)]))
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
