import { sql, type Insertable, type Kysely, type Transaction } from 'kysely'
import { prepared } from '../../database/prepared.ts'
import type { Schema } from '../../database/schema.ts'
import { DAY_MS } from '../../timing/days.ts'
import type { LinkRow } from './links.ts'
import { KEY_NAME, type Maker } from './makers.ts'

/** How long the destinations of a deleted link are kept. */
export const KEPT_DAYS = 90

/** How many destinations are read at once. */
export const DESTINATIONS_AT_ONCE = 100

/** Keeps where a link leads, because it is changed or deleted. The history forgets it after many other changes. */
export async function keepDestination(
  transaction: Transaction<Schema>,
  { id, revision, destination_url }: LinkRow,
  maker: Maker,
  now: number,
): Promise<void> {
  const row = { link_id: id, revision, destination_url, ended_at: now, ...maker }
  await insertDestination(transaction, row)
}

const insertDestination = prepared((db, row: Insertable<Schema['link_destinations']>) =>
  db.insertInto('link_destinations').values(row),
)

/** Sets when the destinations of a deleted link are removed, and removes those whose time has come. */
export async function endDestinations(
  transaction: Transaction<Schema>,
  linkId: string,
  now: number,
): Promise<void> {
  await transaction
    .updateTable('link_destinations')
    .set({ remove_at: now + KEPT_DAYS * DAY_MS })
    .where('link_id', '=', linkId)
    .execute()
  await removeOldDestinations(transaction, now)
}

export async function removeOldDestinations(db: Kysely<Schema>, now: number): Promise<void> {
  await db.deleteFrom('link_destinations').where('remove_at', '<=', now).execute()
}

export type EndedDestination = Awaited<ReturnType<typeof endedDestinations>>[number]

/** Returns where a link led before, newest first, and one more than DESTINATIONS_AT_ONCE if there are more. */
export async function endedDestinations(
  db: Kysely<Schema>,
  linkId: string,
  { page, now }: { page: number; now: number },
) {
  return db
    .selectFrom('link_destinations')
    .selectAll()
    .select(KEY_NAME)
    .where('link_id', '=', linkId)
    .where(sql<boolean>`coalesce(remove_at > ${now}, ${sql.lit(true)})`)
    .orderBy('revision', 'desc')
    .limit(DESTINATIONS_AT_ONCE + 1)
    .offset((page - 1) * DESTINATIONS_AT_ONCE)
    .execute()
}
