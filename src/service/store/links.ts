import { type Selectable, sql } from 'kysely'
import type { LinksTable } from '../../database/links-table.ts'
import type { Db } from '../../database/schema.ts'
import { UTM_PARAMETERS } from '../../contract/link-fields.ts'
import { prepared, preparedRow } from '../../database/prepared.ts'
import { releasedHash } from './destination.ts'

type LinkCreator = Pick<LinksTable, 'made_by' | 'person_id' | 'person_name'>

/** Who creates or changes a link: `made_by` is the id of an API key, or `dashboard`. A key can act for a person. */
export type Creator = LinkCreator & { made_by: string }

export const NO_CREATOR: LinkCreator = { made_by: null, person_id: null, person_name: null }

export const DASHBOARD: Creator = { made_by: 'dashboard', person_id: null, person_name: null }

export const KEY_NAME = sql<string | null>`(
  select name from api_keys where api_keys.id = made_by
)`.as('key_name')

export const findKeyName = preparedRow((db, id: string | null) =>
  db.selectFrom('api_keys').select('name as key_name').where('id', '=', id),
)

export type NamedCreator = LinkCreator & { key_name: string | null }

export type LinkState = 'active' | 'off' | 'expired'

/** Returns the state of a link that isn't deleted. A link that is both turned off and expired counts as expired. */
export function linkState(
  link: Pick<LinksTable, 'enabled' | 'expires_at'>,
  now: number,
): LinkState {
  if (link.expires_at !== null && link.expires_at <= now) return 'expired'
  return link.enabled === 1 ? 'active' : 'off'
}

/** A link or, with `alias_of`, an earlier short URL of one. Rows of deleted links keep their short URLs reserved. */
export type LinkRow = Selectable<LinksTable>

export const insertLink = preparedRow((db, row: LinkRow) =>
  db
    .insertInto('links')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
)

export const updateRow = prepared((db, row: LinkRow) =>
  db.updateTable('links').set(row).where('id', '=', row.id),
)

export const findDuplicate = preparedRow((db, { owner_id, domain_id, destination_hash }: LinkRow) =>
  db
    .selectFrom('links')
    .selectAll()
    .where((is) => is.and({ owner_id, domain_id, destination_hash })),
)

/** Lets a new link have the destination of an expired one. @returns false if the existing link hasn't expired */
export async function releaseIfExpired(transaction: Db, link: LinkRow, now: number) {
  if (linkState(link, now) !== 'expired') return false
  await transaction
    .updateTable('links')
    .set({ destination_hash: releasedHash(link.id, now) })
    .where('id', '=', link.id)
    .execute()
  return true
}

/** The links that a key or a member can reach: an owner's links, on all domain records or on those in `domainIds`. */
export interface LinkReach {
  ownerId: string
  domainIds?: readonly string[] | undefined
}

/** The links that the dashboard shows: those in the reach of a member, or all links to the service's administrator. */
export type ShownReach = LinkReach | 'all'

export async function findOwnLink(db: Db, reach: LinkReach, id: string) {
  const link = await findShownLink(db, reach, id)
  return link?.deleted_at === null ? link : undefined
}

export async function findShownLink(db: Db, reach: ShownReach, id: string) {
  const link = await findLink(db, id)
  if (reach === 'all' || !link) return link
  const { ownerId, domainIds } = reach
  if (link.owner_id !== ownerId) return undefined
  return domainIds === undefined || domainIds.includes(link.domain_id) ? link : undefined
}

/** Finds a link by its id, for redirects, which need no permission. `findShownLink` checks who can see a link. */
export const findLink = preparedRow((db, id: string) =>
  db.selectFrom('links').selectAll().where('id', '=', id),
)

/** Finds the link that has or had a short URL, even if it is deleted. The first hostname with the back-half counts. */
export async function findByShortUrl(db: Db, hostnames: readonly string[], backHalf: string) {
  const found = await findRedirect(db, hostnames, backHalf)
  return found && findLink(db, found.id)
}

/** Why a link was not created, changed or deleted. */
export type RefusedWrite =
  | { outcome: 'duplicate'; link: LinkRow }
  /** `deletedAt`: when the link with the back-half was deleted; null if it still exists or belongs to another owner. */
  | { outcome: 'back_half_taken'; deletedAt: number | null }
  | { outcome: 'quota_reached'; maxLinks: number }
  /** `address_out_of_reach`: the link has an earlier short URL on a domain record that the key can't reach. */
  | { outcome: 'too_many_deleted' | 'not_found' | 'stale' | 'address_out_of_reach' }

export async function refuseBackHalf(
  db: Db,
  { owner_id, hostname, back_half }: LinkRow,
): Promise<RefusedWrite> {
  const taken = await findByShortUrl(db, [hostname], back_half)
  const deletedAt = taken?.owner_id === owner_id ? taken.deleted_at : null
  return { outcome: 'back_half_taken', deletedAt }
}

export async function findRedirect(db: Db, hostnames: readonly string[], backHalf: string) {
  for (const hostname of hostnames) {
    const row = await selectByShortUrl(db, hostname, backHalf)
    if (row) return row.alias_of === null ? row : findLink(db, row.alias_of)
  }
  return undefined
}

// The columns that a redirect needs. Reading all columns would take a quarter longer.
const REDIRECT_COLUMNS = [
  'id',
  'destination_url',
  'utm_analytics_enabled',
  ...UTM_PARAMETERS,
  'is_custom_preview',
  'enabled',
  'expires_at',
  'deleted_at',
  'alias_of',
] as const

const selectByShortUrl = preparedRow((db, hostname: string, backHalf: string) =>
  db
    .selectFrom('links')
    .select(REDIRECT_COLUMNS)
    .where('hostname', '=', hostname)
    .where('back_half', '=', backHalf),
)
