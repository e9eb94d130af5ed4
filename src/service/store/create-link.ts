import type { Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { LinkFieldColumns, Schema } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import { generateBackHalf } from './back-half.ts'
import { destinationHash, redirectUrl } from './destination.ts'
import type { DomainRow } from './domains.ts'
import { gaveUpTooMany } from './owners.ts'
import {
  claimKey,
  claimKeys,
  deleteExpiredKeys,
  releaseKey,
  type EarlierRequest,
  type IdempotentRequest,
} from './idempotency-keys.ts'
import { countLinks } from './link-counts.ts'
import {
  type BackHalfTaken,
  findDuplicate,
  insertLink,
  insertLinks,
  linkState,
  type LinkRow,
  releaseIfExpired,
  whyTaken,
} from './links.ts'
import { imageColumns, storePreviewImage, type PreviewImage } from './preview-images.ts'
import type { Creator } from './creators.ts'
import { addTagSets } from './tags.ts'
import { markFormUsed, releaseForm } from './used-forms.ts'

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

/**
 * Inserts a link, unless something prevents it. Unique indexes detect conflicts, which are returned instead of thrown,
 * because other creates share the transaction. The transaction has locked the owner.
 */
async function tryInsertLink(
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

export function planLink(
  { ownerId, maxLinks, domain, backHalf, fields, image, creator }: NewLink,
  now: number,
): PlannedLink {
  const row: LinkRow = {
    ...fields,
    ...imageColumns(image),
    ...creator,
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

export type Repeated = { outcome: 'repeated' } & EarlierRequest

/** Expired idempotency keys that are deleted for each create, so that none takes long, even after a pause. */
const EXPIRED_PER_CREATE = 10

type Create = [link: PlannedLink, now: number, idempotent?: IdempotentRequest]

/**
 * Creates a link, unless something prevents it. PostgreSQL creates 30 to 40 % fewer links a second without the function
 * for several creates. On SQLite, statements that are prepared once are faster.
 */
export const createLink = defineWrite(async function createLink(
  transaction,
  ...create: Create
): Promise<CreateOutcome | Repeated> {
  const [, now, idempotent] = create
  if (idempotent) await deleteExpiredKeys(transaction, EXPIRED_PER_CREATE, now)
  return createAlone(transaction, create, false)
}, createLinks)

async function createLinks(
  transaction: Transaction<Schema>,
  creates: readonly Create[],
): Promise<(CreateOutcome | Repeated)[]> {
  const [, now = 0] = creates[0] ?? []
  const keys = creates.flatMap(([, , idempotent]) => idempotent ?? []).length
  if (keys > 0) await deleteExpiredKeys(transaction, keys * EXPIRED_PER_CREATE, now)
  const { claimed, inserted } = await insertTogether(transaction, creates, now)
  const results: (CreateOutcome | Repeated)[] = []
  for (const create of creates) {
    const [{ row }, , idempotent] = create
    const isClaimed = idempotent !== undefined && claimed.has(idempotent)
    results.push(
      inserted.has(row.id)
        ? { outcome: 'created', link: row }
        : await createAlone(transaction, create, isClaimed),
    )
  }
  return results
}

/**
 * Claims the keys and inserts the links of several creates with one statement each, unless something prevents a
 * create. Owners with a quota are left out, because their links are counted.
 */
async function insertTogether(
  transaction: Transaction<Schema>,
  creates: readonly Create[],
  now: number,
): Promise<{ claimed: Set<IdempotentRequest>; inserted: Set<string> }> {
  const free = creates.filter(([{ maxLinks }]) => maxLinks === null)
  const keys = free.flatMap(([, , idempotent]) => idempotent ?? [])
  const claimed = await claimKeys(transaction, keys, now)
  const links = free.flatMap(([link, , idempotent]) =>
    !idempotent || claimed.has(idempotent) ? link : [],
  )
  const rows = links.map(({ row }) => row)
  const inserted = await insertLinks(transaction, rows)
  await addTagSets(
    transaction,
    rows.filter(({ id }) => inserted.has(id)),
  )
  for (const { row, image } of links) {
    if (image && inserted.has(row.id)) await storePreviewImage(transaction, row.id, image.bytes)
  }
  return { claimed, inserted }
}

async function createAlone(
  transaction: Transaction<Schema>,
  [link, now, idempotent]: Create,
  isClaimed: boolean,
): Promise<CreateOutcome | Repeated> {
  const earlier =
    idempotent && !isClaimed ? await claimKey(transaction, idempotent, now) : undefined
  if (earlier) return { outcome: 'repeated', ...earlier }
  const result = await tryInsertLink(transaction, link, now)
  if (idempotent && result.outcome !== 'created') await releaseKey(transaction, idempotent)
  return result
}

/** `link` is undefined if the link that the form has created was changed since. */
export type FormUsed = { outcome: 'form_used'; link: LinkRow | undefined }

export const createLinkOnce = defineWrite(async function createLinkOnce(
  transaction,
  link: PlannedLink,
  now: number,
  formToken: string,
): Promise<CreateOutcome | FormUsed> {
  if (!(await markFormUsed(transaction, formToken, now))) {
    return { outcome: 'form_used', link: await findDuplicate(transaction, link.row) }
  }
  const result = await tryInsertLink(transaction, link, now)
  if (result.outcome !== 'created') await releaseForm(transaction, formToken)
  return result
})
