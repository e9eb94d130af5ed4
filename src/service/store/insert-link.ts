import { v7 as uuid } from 'uuid'
import type { DbTransaction, LinkFieldColumns } from '../../database/schema.ts'
import { generateBackHalf } from './back-half.ts'
import type { Creator } from './creators.ts'
import { destinationHash, redirectUrl } from './destination.ts'
import type { DomainRow } from './domains.ts'
import { countLinks } from './link-counts.ts'
import {
  type BackHalfTaken,
  findDuplicate,
  insertLink,
  linkState,
  type LinkRow,
  releaseIfExpired,
  whyTaken,
} from './links.ts'
import { gaveUpTooMany } from './owners.ts'
import { imageColumns, storePreviewImage, type PreviewImage } from './preview-images.ts'
import { addTagSets } from './tags.ts'

export interface NewLink {
  ownerId: string
  maxLinks: number | null
  domain: DomainRow
  backHalf: string | undefined
  fields: LinkFieldColumns
  image: PreviewImage | undefined
  creator: Creator
}

export interface PlannedLink extends Pick<NewLink, 'maxLinks' | 'image'> {
  row: LinkRow
}

export type CreateOutcome =
  | { outcome: 'created'; link: LinkRow }
  | { outcome: 'duplicate'; link: LinkRow }
  | BackHalfTaken
  | { outcome: 'too_many_given_up' }
  | { outcome: 'quota_reached'; maxLinks: number }

export function planLink(
  { ownerId, maxLinks, domain, backHalf, fields, image, creator }: NewLink,
  now: number,
): PlannedLink {
  const row: LinkRow = {
    ...fields,
    ...imageColumns(image),
    ...creator,
    // A version 7 UUID sorts by time, and an owner's links are written in the order in which they are planned.
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

/**
 * Inserts a link, unless a limit or another link prevents it. Unique indexes detect conflicts. They are returned,
 * because an error would roll back the other writes of the transaction. Call this in a write that has locked the owner.
 */
export async function tryInsertLink(
  transaction: DbTransaction,
  planned: PlannedLink,
  now: number,
): Promise<CreateOutcome> {
  const { row, image } = planned
  const exceeded = await findExceededLimit(transaction, planned, now)
  if (exceeded) {
    // The existing link helps the user more than the limit.
    const duplicate = await findDuplicate(transaction, row)
    return duplicate && linkState(duplicate, now) !== 'expired'
      ? { outcome: 'duplicate', link: duplicate }
      : exceeded
  }
  // An expired duplicate releases its destination, and the insert is tried once more.
  for (let tries = 0; tries < 2; tries++) {
    if (await insertLink(transaction, row)) {
      await addTagSets(transaction, [row])
      if (image) await storePreviewImage(transaction, row.id, image.bytes)
      return { outcome: 'created', link: row }
    }
    const duplicate = await findDuplicate(transaction, row)
    if (!duplicate) break
    if (!(await releaseIfExpired(transaction, duplicate, now))) {
      return { outcome: 'duplicate', link: duplicate }
    }
  }
  return whyTaken(transaction, row)
}

async function findExceededLimit(
  transaction: DbTransaction,
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
