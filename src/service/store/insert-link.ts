import type { Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { LinkFieldColumns, Schema } from '../../database/schema.ts'
import { generateBackHalf } from './back-half.ts'
import { destinationHash, redirectUrl } from './destination.ts'
import type { DomainRow } from './domains.ts'
import { gaveUpTooMany } from './given-up.ts'
import { countLinks } from './link-counts.ts'
import { linkState } from './link-state.ts'
import { findDuplicate, giveWay, insertLink, type LinkRow } from './links.ts'
import { imageColumns, storePreviewImage, type PreviewImage } from './preview-images.ts'

/** How many generated back-halves to try. Collisions are so rare that more would mean a bug. */
const MAX_TRIES = 10

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
 * @param refused a row of this link that was already tried
 */
export async function tryInsertLink(
  transaction: Transaction<Schema>,
  newLink: NewLink,
  now: number,
  refused?: LinkRow,
): Promise<CreateOutcome> {
  const { backHalf, image } = newLink
  const limit = await findLimit(transaction, newLink, now)
  if (limit) {
    const duplicate = await findExisting(transaction, newLink)
    return duplicate && linkState(duplicate, now) !== 'expired'
      ? { outcome: 'duplicate', link: duplicate }
      : limit
  }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const isTried = tries === 0 && refused !== undefined
    const link = isTried ? refused : newLinkRow(newLink, backHalf ?? generateBackHalf(), now)
    if (!isTried && (await insertLink(transaction, link))) {
      if (image) await storePreviewImage(transaction, link.id, image.bytes)
      return { outcome: 'created', link }
    }
    const duplicate = await findDuplicate(transaction, link)
    if (duplicate && !(await giveWay(transaction, duplicate, now))) {
      return { outcome: 'duplicate', link: duplicate }
    }
    if (!duplicate && backHalf !== undefined) return { outcome: 'back_half_taken' }
  }
  throw new Error('no free back-half was found')
}

/** Why the owner may not have another link. */
async function findLimit(
  transaction: Transaction<Schema>,
  { ownerId, maxLinks }: NewLink,
  now: number,
): Promise<CreateOutcome | undefined> {
  if (maxLinks === null) return undefined
  if ((await countLinks(transaction, { ownerId })) >= maxLinks) {
    return { outcome: 'quota_reached', maxLinks }
  }
  const isTooMany = await gaveUpTooMany(transaction, ownerId, maxLinks, now)
  return isTooMany ? { outcome: 'too_many_given_up' } : undefined
}

/** Finds the link that makes a new one a duplicate. */
export async function findExisting(
  transaction: Transaction<Schema>,
  newLink: NewLink,
): Promise<LinkRow | undefined> {
  return findDuplicate(transaction, newLinkRow(newLink, '', 0))
}

/** The row of a link that is created now, with a new id. */
export function newLinkRow(
  { ownerId, domain, fields, image }: NewLink,
  backHalf: string,
  now: number,
): LinkRow {
  const row: LinkRow = {
    ...fields,
    ...imageColumns(image),
    // Generated here, inside the transaction, so that ids sort in the order of commits.
    id: uuid(),
    owner_id: ownerId,
    domain_id: domain.id,
    hostname: domain.domain_name,
    back_half: backHalf,
    destination_hash: '',
    created_at: now,
    updated_at: now,
    deleted_at: null,
    revision: 1,
    alias_of: null,
  }
  return { ...row, destination_hash: destinationHash(redirectUrl(row)) }
}
