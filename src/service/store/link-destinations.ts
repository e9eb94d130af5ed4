import { sql, type RawBuilder } from 'kysely'
import { isPostgres } from '../../database/dialects.ts'
import type { Db, DbTransaction } from '../../database/schema.ts'
import { DAY_MS } from '../../timing/days.ts'
import type { LinkRow } from './links.ts'
import { KEY_NAME, type Creator } from './creators.ts'

export const KEPT_DAYS = 90

export const DESTINATIONS_AT_ONCE = 100

/** Stores the destination of a link before it changes or is deleted. The history keeps only the newest changes. */
export async function keepDestination(
  transaction: DbTransaction,
  { id, revision, destination_url }: LinkRow,
  creator: Creator,
  now: number,
): Promise<void> {
  const row = { link_id: id, revision, destination_url, ended_at: now, ...creator }
  await transaction.insertInto('link_destinations').values(row).execute()
}

/** Copies earlier destinations from the history, where version 1.0.0 stored them. Each change made a new revision. */
export async function keepFromHistory(transaction: DbTransaction, condition: RawBuilder<unknown>) {
  const destination = isPostgres(transaction)
    ? sql`changes::json #>> '{destination_url,0}'`
    : sql`changes ->> '$.destination_url[0]'`
  await sql`
    insert into link_destinations (link_id, revision, destination_url, ended_at, made_by)
    select link_id, revision, destination_url, at, made_by from (
      select link_id, at, link_history.made_by,
        links.revision - row_number() over (partition by link_id order by link_history.id desc) as revision,
        ${destination} as destination_url
      from link_history join links on links.id = link_history.link_id where ${condition}
    ) as changed where destination_url is not null
    on conflict do nothing`.execute(transaction)
}

export async function scheduleDestinationRemoval(db: Db, linkId: string, now: number) {
  await db
    .updateTable('link_destinations')
    .set({ remove_at: now + KEPT_DAYS * DAY_MS })
    .where('link_id', '=', linkId)
    .execute()
  await removeOldDestinations(db, now)
}

export async function removeOldDestinations(db: Db, now: number): Promise<void> {
  await db.deleteFrom('link_destinations').where('remove_at', '<=', now).execute()
}

export type EndedDestination = Awaited<ReturnType<typeof endedDestinations>>[number]

/** Reads earlier destinations of a link, newest first. If there are more, one more than DESTINATIONS_AT_ONCE. */
export async function endedDestinations(
  db: Db,
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
