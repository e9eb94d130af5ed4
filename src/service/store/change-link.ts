import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { LinkFieldColumns } from '../../database/links-table.ts'
import type { DbTransaction } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import { destinationHash, redirectUrl, releasedHash } from './destination.ts'
import type { DomainRow } from './domains.ts'
import { findOwnerById, deletedTooMany } from './owners.ts'
import {
  scheduleDestinationRemoval,
  keepDestination,
  keepFromHistory,
  addToHistory,
  compareLinks,
} from './link-history.ts'
import {
  type Creator,
  NO_CREATOR,
  findDuplicate,
  findOwnLink,
  type RefusedWrite,
  releaseIfExpired,
  insertLink,
  type LinkReach,
  type LinkRow,
  linkState,
  updateRow,
  refuseBackHalf,
} from './links.ts'
import { EMPTY_FIELDS } from './link-values.ts'
import {
  EMPTY_IMAGE,
  imageColumns,
  removePreviewImage,
  storePreviewImage,
  type PreviewImage,
} from './preview-images.ts'
import { moveClicks } from './segments.ts'
import { addTagSets, removeTagSet } from './tags.ts'

export interface LinkTarget extends LinkReach {
  linkId: string
  /** For optimistic locking: if the link has another revision, the outcome is `stale`. */
  revisions?: readonly number[] | undefined
  creator: Creator
}

export interface LinkChanges {
  fields: Partial<LinkFieldColumns>
  domain?: DomainRow | undefined
  backHalf?: string | undefined
  image?: PreviewImage | null | undefined
}

export type ChangeOutcome = { outcome: 'changed' | 'unchanged'; link: LinkRow } | RefusedWrite

export type DeleteOutcome = { outcome: 'deleted' } | RefusedWrite

/** Changes a link. Its earlier short URLs still lead to it. Call this in a write that has locked the owner. */
export const updateLink = defineWrite(async function updateLink(
  transaction,
  target: LinkTarget,
  { fields, domain, backHalf, image }: LinkChanges,
  now: number,
): Promise<ChangeOutcome> {
  const link = await findChangeable(transaction, target)
  if ('outcome' in link) return link
  const next: LinkRow = {
    ...link,
    ...fields,
    ...(domain && { domain_id: domain.id, hostname: domain.domain_name }),
    ...(backHalf !== undefined && { back_half: backHalf }),
    ...(image !== undefined && imageColumns(image)),
  }
  const changes = compareLinks(link, next)
  if (image) changes['preview_image'] ??= [image.type, image.type]
  if (Object.keys(changes).length === 0) return { outcome: 'unchanged', link }

  next.revision = link.revision + 1
  next.updated_at = now
  const isExpired = linkState(next, now) === 'expired'
  next.destination_hash = isExpired
    ? releasedHash(link.id, now)
    : destinationHash(redirectUrl(next))
  const duplicate = isExpired ? undefined : await findDuplicate(transaction, next)
  if (
    duplicate &&
    duplicate.id !== link.id &&
    !(await releaseIfExpired(transaction, duplicate, now))
  ) {
    return { outcome: 'duplicate', link: duplicate }
  }
  const isMoved = next.hostname !== link.hostname || next.back_half !== link.back_half
  const claimed = isMoved ? await claimShortUrl(transaction, next, now) : undefined
  if (typeof claimed === 'object') return claimed

  await updateRow(transaction, next)
  await moveClicks(transaction, link, next)
  if (next.destination_url !== link.destination_url) {
    await keepDestination(transaction, link, target.creator, now)
  }
  if (next.tags !== link.tags) {
    await addTagSets(transaction, [next])
    await removeTagSet(transaction, link)
  }
  if (claimed !== undefined) await setShortUrl(transaction, claimed, link)
  if (image === null) await removePreviewImage(transaction, link.id)
  else if (image) await storePreviewImage(transaction, link.id, image.bytes)
  await addToHistory(transaction, link.id, target.creator, changes, now)
  return { outcome: 'changed', link: next }
})

/**
 * Deletes a link, but keeps its row, so that no other link ever gets its short URL. The destination is kept for 90 days
 * (link-history.ts), because someone might delete a link to hide where it led.
 */
export const deleteLink = defineWrite(async function deleteLink(
  transaction,
  target: LinkTarget,
  now: number,
): Promise<DeleteOutcome> {
  const link = await findChangeable(transaction, target)
  if ('outcome' in link) return link
  await moveClicks(transaction, link, undefined)
  // Version 1.0.0 stored earlier destinations only in the history, which is about to be emptied.
  await keepFromHistory(transaction, sql`link_id = ${link.id}`)
  await transaction
    .updateTable('links')
    .set({
      ...EMPTY_FIELDS,
      ...EMPTY_IMAGE,
      destination_hash: releasedHash(link.id, now),
      deleted_at: now,
      updated_at: now,
      revision: link.revision + 1,
    })
    .where('id', '=', link.id)
    .execute()
  await removeTagSet(transaction, link)
  await removePreviewImage(transaction, link.id)
  for (const table of ['clicks', 'referrers'] as const) {
    await transaction.deleteFrom(table).where('link_id', '=', link.id).execute()
  }
  const history = transaction.updateTable('link_history').set({ changes: '{}' })
  await history.where('link_id', '=', link.id).execute()
  await keepDestination(transaction, link, target.creator, now)
  await scheduleDestinationRemoval(transaction, link.id, now)
  await addToHistory(transaction, link.id, target.creator, { deleted: [false, true] }, now)
  return { outcome: 'deleted' }
})

async function findChangeable(
  transaction: DbTransaction,
  target: LinkTarget,
): Promise<LinkRow | RefusedWrite> {
  const { linkId, revisions, domainIds } = target
  const link = await findOwnLink(transaction, target, linkId)
  if (!link) return { outcome: 'not_found' }
  if (revisions && !revisions.includes(link.revision)) return { outcome: 'stale' }
  if (!domainIds) return link
  // The link's earlier short URLs lead wherever the link leads, so all of them must be within the key's reach.
  const outside = await transaction
    .selectFrom('links')
    .select('id')
    .where('alias_of', '=', linkId)
    .where('domain_id', 'not in', domainIds)
    .executeTakeFirst()
  return outside ? { outcome: 'address_out_of_reach' } : link
}

/**
 * Reserves the new short URL of a link. An alias (a row of `links` for an earlier short URL) is inserted with it, so
 * that a unique index detects a short URL that is taken. The caller then gives the new short URL to the link, and the
 * earlier one to the alias.
 * @returns the id of the alias, or the conflict
 */
async function claimShortUrl(
  transaction: DbTransaction,
  moved: LinkRow,
  now: number,
): Promise<string | RefusedWrite> {
  const { id: alias_of, hostname, back_half } = moved
  const existing = await transaction
    .selectFrom('links')
    .select('id')
    .where((is) => is.and({ hostname, back_half, alias_of }))
    .executeTakeFirst()
  let aliasId = existing?.id
  if (aliasId === undefined) {
    const { max_links: maxLinks = 0 } = (await findOwnerById(transaction, moved.owner_id)) ?? {}
    if (maxLinks !== null && (await deletedTooMany(transaction, moved.owner_id, maxLinks, now))) {
      return { outcome: 'too_many_deleted' }
    }
    aliasId = uuid()
    const alias = {
      ...moved,
      ...EMPTY_FIELDS,
      ...EMPTY_IMAGE,
      ...NO_CREATOR,
      id: aliasId,
      destination_hash: releasedHash(aliasId, now),
      created_at: now,
      deleted_at: now,
      revision: 1,
      alias_of,
    }
    if (!(await insertLink(transaction, alias))) return refuseBackHalf(transaction, moved)
  }
  // Two rows can't have the same short URL. The alias frees it by taking one that no link can have, with a space.
  await setShortUrl(transaction, aliasId, { ...moved, back_half: ` ${aliasId}` })
  return aliasId
}

async function setShortUrl(
  transaction: DbTransaction,
  id: string,
  { domain_id, hostname, back_half }: Pick<LinkRow, 'domain_id' | 'hostname' | 'back_half'>,
): Promise<void> {
  await transaction
    .updateTable('links')
    .set({ domain_id, hostname, back_half })
    .where('id', '=', id)
    .execute()
}
