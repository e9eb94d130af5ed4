import { sql, type Kysely, type Transaction } from 'kysely'
import { isPostgres } from '../../database/dialects.ts'
import type { ClicksTable, Schema } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import { addReferrers } from './referrers.ts'

/** Rows in one transaction: enough to be fast, and few enough that redirects run in between. */
export const ROWS_AT_ONCE = 200

/** The clicks on a link on a day, and the hosts from which people came, at most MAX_HOSTS. */
export interface CountedClicks extends ClicksTable {
  hosts?: ReadonlyMap<string, number>
}

/**
 * Adds clicks to the stored counts. Each link and day may occur once. Clicks on deleted links are dropped.
 */
export const addClicks = defineWrite(import.meta.url, 'addClicks', add)

async function add(
  transaction: Transaction<Schema>,
  counted: readonly CountedClicks[],
): Promise<void> {
  const existing = await lockExistingLinks(transaction, counted)
  // Always in the same order, so that two processes never wait for each other's locks.
  const rows = counted
    .filter(({ link_id: id }) => existing.has(id))
    .toSorted((one, other) => compare(one.link_id + one.day, other.link_id + other.day))
  if (rows.length === 0) return
  await transaction
    .insertInto('clicks')
    .values(rows.map(({ link_id, day, people, bots }) => ({ link_id, day, people, bots })))
    .onConflict((conflict) =>
      conflict.columns(['link_id', 'day']).doUpdateSet({
        people: sql`clicks.people + excluded.people`,
        bots: sql`clicks.bots + excluded.bots`,
      }),
    )
    .execute()
  const totals = new Map<string, number>()
  for (const { link_id: id, people } of rows) totals.set(id, (totals.get(id) ?? 0) + people)
  await transaction
    .insertInto('click_totals')
    .values([...totals].map(([link_id, people]) => ({ link_id, people })))
    .onConflict((conflict) =>
      conflict.column('link_id').doUpdateSet({
        people: sql`click_totals.people + excluded.people`,
      }),
    )
    .execute()
  await addReferrers(
    transaction,
    rows.map(({ hosts = new Map(), ...row }) => ({ ...row, hosts })),
  )
}

/**
 * Returns the ids of the links that are not deleted. On PostgreSQL, none of them can be deleted until the
 * transaction ends; other changes don't wait. On SQLite, a transaction that writes is alone.
 */
async function lockExistingLinks(
  transaction: Kysely<Schema>,
  counted: readonly CountedClicks[],
): Promise<Set<string>> {
  const rows = await transaction
    .selectFrom('links')
    .select('id')
    .where('id', 'in', [...new Set(counted.map(({ link_id: id }) => id))])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .$if(isPostgres(transaction), (query) => query.forKeyShare())
    .execute()
  return new Set(rows.map(({ id }) => id))
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
