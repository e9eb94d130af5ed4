import { type Insertable, sql, type RawBuilder } from 'kysely'
import { prepared } from '../../database/prepared.ts'
import type { Db, DbTransaction, Schema } from '../../database/schema.ts'
import { someFields } from '../../contract/field-spec.ts'
import { LINK_FIELD_NAMES } from '../../contract/link-fields.ts'
import { fieldValues } from './link-values.ts'
import { type LinkRow, KEY_NAME, type Creator, type NamedCreator } from './links.ts'
import { isPostgres } from '../../database/dialects.ts'
import { DAY_MS } from '../../timing/days.ts'

export const CHANGES_AT_ONCE = 100
const ADDRESSES_AT_ONCE = 100

// Only this many changes of a link are kept. Without a limit, a single key could fill the disk with changes.
const KEPT_CHANGES = 1_000

type FieldValue = string | boolean | null

export type FieldChanges = Record<string, [before: FieldValue, after: FieldValue]>

export interface LinkChange extends NamedCreator {
  at: number
  /** The keys are the API's names of the fields: `{ title: ['Old', 'New'] }`. An image is shown by its media type. */
  changes: FieldChanges
}

export function compareLinks(before: LinkRow, after: LinkRow): FieldChanges {
  const old = fieldValues(before)
  const updated = fieldValues(after)
  return someFields(LINK_FIELD_NAMES, (name) =>
    old[name] === updated[name] ? undefined : [old[name], updated[name]],
  )
}

/** Adds a change to a link's history. Other processes read there which links have changed (database/watch-links.ts). */
export async function addToHistory(
  transaction: DbTransaction,
  linkId: string,
  creator: Creator,
  changes: FieldChanges,
  now: number,
): Promise<void> {
  const change = { link_id: linkId, at: now, ...creator, changes: JSON.stringify(changes) }
  await insertChange(transaction, change)
  await deleteTooOld(transaction, linkId)
}

const insertChange = prepared((db, change: Insertable<Schema['link_history']>) =>
  db.insertInto('link_history').values(change),
)

const deleteTooOld = prepared((db, linkId: string) =>
  db
    .deleteFrom('link_history')
    .where('link_id', '=', linkId)
    .where('id', '<=', (from) =>
      from
        .selectFrom('link_history')
        .select('id')
        .where('link_id', '=', linkId)
        .orderBy('id', 'desc')
        .limit(1)
        .offset(KEPT_CHANGES),
    ),
)

export async function linkHistory(db: Db, linkId: string): Promise<LinkChange[]> {
  const rows = await db
    .selectFrom('link_history')
    .select(['at', 'changes', 'made_by', 'person_id', 'person_name', KEY_NAME])
    .where('link_id', '=', linkId)
    .orderBy('id', 'desc')
    .limit(CHANGES_AT_ONCE)
    .execute()
  return rows.map((row) => ({ ...row, changes: JSON.parse(row.changes) as FieldChanges }))
}

export async function earlierAddresses(db: Db, linkId: string) {
  return db
    .selectFrom('links')
    .select(['hostname', 'back_half'])
    .where('alias_of', '=', linkId)
    .orderBy('id')
    .limit(ADDRESSES_AT_ONCE)
    .execute()
}

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
