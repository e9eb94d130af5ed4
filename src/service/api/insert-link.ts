import type { Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { UTM_PARAMETERS } from '../../contract/create-request.ts'
import type { Schema } from '../../database/schema.ts'
import { generateBackHalf } from '../store/back-half.ts'
import { destinationHash, redirectUrl } from '../store/destination.ts'
import { countLinks } from '../store/link-counts.ts'
import { findDuplicate, insertLink, insertPreviewImage, type LinkRow } from '../store/links.ts'
import { ServiceError } from './errors.ts'
import type { ValidatedCreate } from './validate-create.ts'

/** How many generated back-halves to try. Collisions are so rare that more would mean a bug. */
const MAX_TRIES = 10

/** The result of a create: the new link, or what prevents it. */
export type CreateOutcome =
  | { outcome: 'created'; link: LinkRow }
  | { outcome: 'duplicate'; link: LinkRow }
  | { outcome: 'back_half_taken' }
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
  validated: ValidatedCreate,
  now: number,
): Promise<CreateOutcome> {
  const { ownerId, maxLinks, request, image } = validated
  if (maxLinks !== null && (await countLinks(transaction, { ownerId })) >= maxLinks) {
    const duplicate = await findExisting(transaction, validated)
    return duplicate
      ? { outcome: 'duplicate', link: duplicate }
      : { outcome: 'quota_reached', maxLinks }
  }
  const { back_half: backHalf } = request
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const link = toRow(validated, backHalf ?? generateBackHalf(), now)
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

/** Finds the link that makes a create a duplicate. */
export async function findExisting(
  transaction: Transaction<Schema>,
  validated: ValidatedCreate,
): Promise<LinkRow | undefined> {
  return findDuplicate(transaction, toRow(validated, '', 0))
}

function toRow(
  { ownerId, domain, request, image }: ValidatedCreate,
  backHalf: string,
  now: number,
) {
  const utm = Object.fromEntries(UTM_PARAMETERS.map((name) => [name, request[name] ?? null]))
  const row: LinkRow = {
    // Generated here, inside the transaction, so that ids sort in the order of commits.
    id: uuid(),
    owner_id: ownerId,
    domain_id: domain.id,
    hostname: domain.domain_name,
    back_half: backHalf,
    destination_url: new URL(request.destination_url).href,
    destination_hash: '',
    title: request.title ?? null,
    utm_analytics_enabled: Number(request.utm_analytics_enabled ?? false),
    ...(utm as Pick<LinkRow, (typeof UTM_PARAMETERS)[number]>),
    is_custom_preview: Number(request.is_custom_preview ?? false),
    preview_title: request.preview_title ?? null,
    preview_description: request.preview_description ?? null,
    preview_image_type: image?.type ?? null,
    preview_image_width: image?.width ?? null,
    preview_image_height: image?.height ?? null,
    qr_code_enabled: Number(request.qr_code_enabled ?? false),
    qr_code_color: request.qr_code_color ?? null,
    created_at: now,
    updated_at: now,
    enabled: 1,
    expires_at: null,
    deleted_at: null,
    revision: 1,
    alias_of: null,
  }
  return { ...row, destination_hash: destinationHash(redirectUrl(row)) }
}
