import { type Insertable, type Selectable, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Db, Schema } from '../../database/schema.ts'
import { DAY_MS } from '../../timing/days.ts'
import { releasedHash } from './destination.ts'

export type Owner = Selectable<Schema['owners']>
export type OwnerKind = Owner['kind']

export const KEY_TYPES = { organization: 'Organization', account: 'Self' } as const

export const OWNERS_AT_ONCE = 200

type NewOwner = Omit<Insertable<Schema['owners']>, 'id'>

/** @returns the new owner, or the existing one with this `external_id`, even if another process adds it meanwhile */
export async function addOwner(db: Db, row: NewOwner): Promise<Owner> {
  const added = await db
    .insertInto('owners')
    .values({ ...row, id: uuid() })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  const existing = added ?? (await findExternalOwner(db, row.external_id ?? ''))
  if (!existing) throw new Error('an owner could neither be added nor found')
  return existing
}

export async function findExternalOwner(db: Db, externalId: string) {
  return db
    .selectFrom('owners')
    .selectAll()
    .where('external_id', '=', externalId)
    .executeTakeFirst()
}

export async function setMaxLinks(db: Db, ownerId: string, maxLinks: number | null) {
  await db.updateTable('owners').set({ max_links: maxLinks }).where('id', '=', ownerId).execute()
}

/** @returns false if another owner of this kind has the name */
export async function renameOwner(db: Db, { id, kind }: Pick<Owner, 'id' | 'kind'>, name: string) {
  const others = await findOwners(db, kind, name)
  if (others.some((owner) => owner.id !== id && owner.name === name)) return false
  await db.updateTable('owners').set({ name }).where('id', '=', id).execute()
  return true
}

export async function findOwnerById(db: Db, id: string): Promise<Owner | undefined> {
  return db.selectFrom('owners').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findOwners(db: Db, kind: OwnerKind, idOrName: string): Promise<Owner[]> {
  return db
    .selectFrom('owners')
    .selectAll()
    .where('kind', '=', kind)
    .where((where) => where.or([where('id', '=', idOrName), where('name', '=', idOrName)]))
    .orderBy('id')
    .limit(10)
    .execute()
}

/** Lists owners. Those without an external id come first: an administrator has added them, and the others are many. */
export async function listOwners(db: Db, kind?: OwnerKind, page = 1): Promise<Owner[]> {
  return db
    .selectFrom('owners')
    .selectAll()
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'organization'))
    .orderBy(sql`case when external_id is null then 0 else 1 end`)
    .orderBy('kind', 'desc')
    .orderBy('id')
    .limit(OWNERS_AT_ONCE)
    .offset((page - 1) * OWNERS_AT_ONCE)
    .execute()
}

const MIN_PER_DAY = 100

export const TOO_MANY_DELETED =
  'Too many short links were deleted or moved in the last 24 hours. Their short URLs stay reserved, so the quota allows no new ones for now. Try again tomorrow.'

/**
 * Returns true if an owner with a quota has deleted or moved too many links in the last 24 hours to create more. Old
 * short URLs stay reserved forever, so without this limit, an owner could fill the disk in spite of its quota.
 */
export async function deletedTooMany(db: Db, ownerId: string, maxLinks: number, now: number) {
  const limit = Math.max(maxLinks, MIN_PER_DAY)
  // `releasedHash` contains the time, so the unique index has these links in the order of domain records and times.
  const rows = await db
    .selectFrom('link_counts')
    .innerJoin('links', (join) =>
      join
        .onRef('links.owner_id', '=', 'link_counts.owner_id')
        .onRef('links.domain_id', '=', 'link_counts.domain_id')
        .on('links.destination_hash', '>', releasedHash('', now - DAY_MS + 1))
        .on('links.destination_hash', '<', releasedHash('', now + DAY_MS)),
    )
    .select('links.id')
    .where('link_counts.owner_id', '=', ownerId)
    .where('links.deleted_at', 'is not', null)
    .limit(limit)
    .execute()
  return rows.length >= limit
}
