import type { Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { LinkFieldColumns, Schema } from '../../database/schema.ts'
import { generateBackHalf } from './back-half.ts'
import { destinationHash, redirectUrl } from './destination.ts'
import type { DomainRow } from './domains.ts'
import { gaveUpTooMany } from './given-up.ts'
import { countLinks, findDuplicate, giveWay, insertLink, type LinkRow, linkState } from './links.ts'
import { imageColumns, storePreviewImage, type PreviewImage } from './preview-images.ts'

/** A link to create. It follows every rule that does not depend on other links. */
export interface NewLink {
  ownerId: string
  /** How many links the owner may have; null: no limit. */
  maxLinks: number | null
  domain: DomainRow
  /** Undefined: generated. */
  backHalf: string | undefined
  fields: LinkFieldColumns
  image: PreviewImage | undefined
}

/** A link to create, with the row that it gets. */
export interface PlannedLink extends Pick<NewLink, 'maxLinks' | 'image'> {
  row: LinkRow
}

/** The result of a create: the new link, or what prevents it. */
export type CreateOutcome =
  | { outcome: 'created'; link: LinkRow }
  | { outcome: 'duplicate'; link: LinkRow }
  | { outcome: 'back_half_taken' | 'too_many_given_up' }
  | { outcome: 'quota_reached'; maxLinks: number }

/**
 * Inserts a link and its preview image, unless something prevents it. Unique indexes detect
 * conflicts. A conflict is returned instead of thrown, because other creates share the transaction.
 * The transaction has locked the owner.
 *
 * @param now the time in milliseconds since 1970
 */
export async function tryInsertLink(
  transaction: Transaction<Schema>,
  planned: PlannedLink,
  now: number,
): Promise<CreateOutcome> {
  const { row, image } = planned
  const limit = await findLimit(transaction, planned, now)
  if (limit) {
    const duplicate = await findDuplicate(transaction, row)
    return duplicate && linkState(duplicate, now) !== 'expired'
      ? { outcome: 'duplicate', link: duplicate }
      : limit
  }
  // A duplicate that has expired gives way once.
  for (let tries = 0; tries < 2; tries++) {
    if (await insertLink(transaction, row)) {
      if (image) await storePreviewImage(transaction, row.id, image.bytes)
      return { outcome: 'created', link: row }
    }
    const duplicate = await findDuplicate(transaction, row)
    if (!duplicate) break
    if (!(await giveWay(transaction, duplicate, now))) {
      return { outcome: 'duplicate', link: duplicate }
    }
  }
  return { outcome: 'back_half_taken' }
}

/** Why the owner may not have another link. */
async function findLimit(
  transaction: Transaction<Schema>,
  { row: { owner_id: ownerId }, maxLinks }: PlannedLink,
  now: number,
): Promise<CreateOutcome | undefined> {
  if (maxLinks === null) return undefined
  if ((await countLinks(transaction, { ownerId })) >= maxLinks) {
    return { outcome: 'quota_reached', maxLinks }
  }
  const isTooMany = await gaveUpTooMany(transaction, ownerId, maxLinks, now)
  return isTooMany ? { outcome: 'too_many_given_up' } : undefined
}

/** Gives a link that is created now its row, with a new ID. */
export function planLink(
  { ownerId, maxLinks, domain, backHalf, fields, image }: NewLink,
  now: number,
): PlannedLink {
  const row: LinkRow = {
    ...fields,
    ...imageColumns(image),
    // IDs sort by time. Creates of an owner are written in the order in which they are planned.
    id: uuid(),
    owner_id: ownerId,
    domain_id: domain.id,
    hostname: domain.domain_name,
    back_half: backHalf ?? generateBackHalf(),
    destination_hash: '',
    created_at: now,
    updated_at: now,
    deleted_at: null,
    revision: 1,
    alias_of: null,
  }
  row.destination_hash = destinationHash(redirectUrl(row))
  return { row, maxLinks, image }
}
