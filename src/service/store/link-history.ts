import type { Insertable } from 'kysely'
import { prepared } from '../../database/prepared.ts'
import type { Db, DbTransaction, Schema } from '../../database/schema.ts'
import { LINK_FIELD_NAMES, someFields } from '../../contract/link-fields.ts'
import { fieldValues } from './link-values.ts'
import type { LinkRow } from './links.ts'
import { KEY_NAME, type Creator, type NamedCreator } from './creators.ts'

export const CHANGES_AT_ONCE = 100
const ADDRESSES_AT_ONCE = 100

// Only this many changes of a link are kept. Without a limit, a single key could fill the disk with changes.
const KEPT_CHANGES = 1_000

export type FieldChanges = Record<string, [before: FieldValue, after: FieldValue]>

type FieldValue = string | boolean | null

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
  { at, changes, creator }: Pick<LinkChange, 'at' | 'changes'> & { creator: Creator },
): Promise<void> {
  const change = { link_id: linkId, at, ...creator, changes: JSON.stringify(changes) }
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
