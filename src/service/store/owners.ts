import { type Kysely, type Selectable, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Schema } from '../../database/schema.ts'
import { DAY_MS } from '../../timing/days.ts'
import { releasedHash } from './destination.ts'

/** An organization or an account, which owns links, keys and domain records. */
export type Owner = Selectable<Schema['owners']>
export type OwnerKind = Owner['kind']

/** The type of an owner's keys (spec §2.3). */
export const KEY_TYPES = { organization: 'Organization', account: 'Self' } as const

/** At most this many owners are read at once. */
export const OWNERS_AT_ONCE = 200

/**
 * Adds an organization or an account. If there is an owner with the same `externalId`, returns that
 * one, even if two processes add it at the same time.
 */
export async function addOwner(
  db: Kysely<Schema>,
  owner: {
    kind: OwnerKind
    name: string
    externalId?: string
    now: number
    maxLinks?: number | null
  },
): Promise<Owner> {
  const row: Owner = {
    id: uuid(),
    kind: owner.kind,
    name: owner.name,
    external_id: owner.externalId ?? null,
    created_at: owner.now,
    max_links: owner.maxLinks ?? null,
  }
  const added = await db
    .insertInto('owners')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  const existing = added ?? (await findExternalOwner(db, owner.externalId ?? ''))
  if (!existing) throw new Error('an owner that could not be added exists')
  return existing
}

/** Finds an owner by its id in another system. */
export async function findExternalOwner(
  db: Kysely<Schema>,
  externalId: string,
): Promise<Owner | undefined> {
  return db
    .selectFrom('owners')
    .selectAll()
    .where('external_id', '=', externalId)
    .executeTakeFirst()
}

/** Sets how many links an owner may have; null: no limit. */
export async function setMaxLinks(
  db: Kysely<Schema>,
  ownerId: string,
  maxLinks: number | null,
): Promise<void> {
  await db.updateTable('owners').set({ max_links: maxLinks }).where('id', '=', ownerId).execute()
}

/** Gives an owner another name. @returns false if another owner of the same kind has it, and nothing was changed */
export async function renameOwner(
  db: Kysely<Schema>,
  { id, kind }: Pick<Owner, 'id' | 'kind'>,
  name: string,
): Promise<boolean> {
  const others = await findOwners(db, kind, name)
  if (others.some((owner) => owner.id !== id && owner.name === name)) return false
  await db.updateTable('owners').set({ name }).where('id', '=', id).execute()
  return true
}

export async function findOwnerById(db: Kysely<Schema>, id: string): Promise<Owner | undefined> {
  return db.selectFrom('owners').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the owners of a kind that have an id or a name, oldest first, at most a few. */
export async function findOwners(
  db: Kysely<Schema>,
  kind: OwnerKind,
  idOrName: string,
): Promise<Owner[]> {
  return db
    .selectFrom('owners')
    .selectAll()
    .where('kind', '=', kind)
    .where((where) => where.or([where('id', '=', idOrName), where('name', '=', idOrName)]))
    .orderBy('id')
    .limit(10)
    .execute()
}

/**
 * Returns a page of the owners: at most OWNERS_AT_ONCE. Those that an admin added come before those of other systems, of
 * which there may be many.
 *
 * @param kind undefined: of both kinds
 */
export async function listOwners(db: Kysely<Schema>, kind?: OwnerKind, page = 1): Promise<Owner[]> {
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

/** An owner may give up this many short URLs a day, however small its quota is. */
const MIN_PER_DAY = 100

/** The error if an owner has given up too many. */
export const TOO_MANY_GIVEN_UP =
  'Too many short links were deleted or moved in the last 24 hours. Their short URLs stay reserved, so the quota allows no new ones for now. Try again tomorrow.'

/**
 * Whether an owner with a quota has given up so many short URLs in the last 24 hours, by deleting or moving links, that
 * it gets no new one. They stay reserved forever, so otherwise a quota would not limit what an owner stores.
 *
 * @param maxLinks the quota; null: no quota, and so no limit
 * @param now the time in milliseconds since 1970
 */
export async function gaveUpTooMany(
  db: Kysely<Schema>,
  ownerId: string,
  maxLinks: number | null,
  now: number,
): Promise<boolean> {
  if (maxLinks === null) return false
  const limit = Math.max(maxLinks, MIN_PER_DAY)
  // The index of the unique constraint holds them by domain record and time.
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
