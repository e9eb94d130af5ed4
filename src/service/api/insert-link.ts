import { v7 as uuid } from 'uuid'
import type { Transaction } from 'kysely'
import { UTM_PARAMETERS } from '../../contract/create-request.ts'
import { previewImageType } from '../../contract/preview-image.ts'
import type { Schema } from '../../database/schema.ts'
import { generateBackHalf } from '../store/back-half.ts'
import type { CreateWish } from '../create-wish.ts'
import { destinationHash, effectiveDestination } from '../store/destination.ts'
import { ServiceError } from '../service-error.ts'
import { findDuplicate, insertLink, lockAndCountLinks, type LinkRow } from '../store/links.ts'
import { insertPreviewImage } from '../store/preview-images.ts'

/** Generated back-halves tried at most; one collision is rare, so this many mean a fault. */
const TRIES = 10

/** What came of a create: a new link, or what stands in its way. */
export type Creation =
  | { outcome: 'created'; link: LinkRow }
  | { outcome: 'duplicate'; link: LinkRow }
  | { outcome: 'back_half_taken' }
  | { outcome: 'quota_reached'; maxLinks: number }

/**
 * Inserts a link and its image. The unique indexes decide conflicts; nothing is thrown for one,
 * since the transaction is shared with other creates.
 *
 * @param now milliseconds since 1970
 */
export async function createLink(
  transaction: Transaction<Schema>,
  wish: CreateWish,
  now: number,
): Promise<Creation> {
  const { ownerId, maxLinks, request } = wish
  if (maxLinks !== null && (await lockAndCountLinks(transaction, ownerId)) >= maxLinks) {
    const duplicate = await findDuplicate(transaction, linkRow(wish, '', now))
    return duplicate
      ? { outcome: 'duplicate', link: duplicate }
      : { outcome: 'quota_reached', maxLinks }
  }
  const { back_half: backHalf, preview_image: image } = request
  for (let tries = 0; tries < TRIES; tries++) {
    const link = linkRow(wish, backHalf ?? generateBackHalf(), now)
    if (await insertLink(transaction, link)) {
      if (image) await insertPreviewImage(transaction, link.id, image.bytes)
      return { outcome: 'created', link }
    }
    const duplicate = await findDuplicate(transaction, link)
    if (duplicate) return { outcome: 'duplicate', link: duplicate }
    if (backHalf !== undefined) return { outcome: 'back_half_taken' }
  }
  throw new ServiceError('INTERNAL_ERROR', 'No free back-half was found.')
}

function linkRow({ ownerId, domain, request }: CreateWish, backHalf: string, now: number): LinkRow {
  const utm = Object.fromEntries(UTM_PARAMETERS.map((name) => [name, request[name] ?? null]))
  const effective = effectiveDestination(
    request.destination_url,
    request.utm_analytics_enabled ? request : {},
  )
  return {
    // Made here, in the order of commits, so that ids sort as links became visible.
    id: uuid(),
    owner_id: ownerId,
    domain_id: domain.id,
    hostname: domain.domain_name,
    back_half: backHalf,
    destination_url: request.destination_url,
    destination_hash: destinationHash(effective),
    title: request.title ?? null,
    utm_analytics_enabled: Number(request.utm_analytics_enabled ?? false),
    ...(utm as Pick<LinkRow, (typeof UTM_PARAMETERS)[number]>),
    is_custom_preview: Number(request.is_custom_preview ?? false),
    preview_title: request.preview_title ?? null,
    preview_description: request.preview_description ?? null,
    preview_image_type: request.preview_image
      ? (previewImageType(request.preview_image.filename) ?? null)
      : null,
    qr_code_enabled: Number(request.qr_code_enabled ?? false),
    qr_code_color: request.qr_code_color ?? null,
    created_at: now,
    updated_at: now,
  }
}
