import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'
import { releasedHash } from './destination.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** An owner may give up this many short URLs a day, however small its quota is. */
const MIN_PER_DAY = 100

/** The error if an owner has given up too many. */
export const TOO_MANY_GIVEN_UP =
  'Too many short links were deleted or moved in the last 24 hours. Their short URLs stay reserved, so the quota allows no new ones for now.'

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
