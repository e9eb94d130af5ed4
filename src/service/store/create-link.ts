import { v7 as uuid } from 'uuid'
import type { LinkFieldColumns } from '../../database/links-table.ts'
import type { DbTransaction } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import { generateBackHalf } from './back-half.ts'
import {
  type Creator,
  findDuplicate,
  insertLink,
  linkState,
  type LinkRow,
  type RefusedWrite,
  releaseIfExpired,
  refuseBackHalf,
} from './links.ts'
import { destinationHash, redirectUrl } from './destination.ts'
import {
  findRepeated,
  rememberRequest,
  type IdempotentRequest,
  type Repeated,
  markFormUsed,
  releaseForm,
} from './repeated-requests.ts'
import { countLinks } from './link-filter.ts'
import { deletedTooMany } from './owners.ts'
import { imageColumns, storePreviewImage, type PreviewImage } from './preview-images.ts'
import { addTagSets } from './tags.ts'

export interface NewLink {
  columns: LinkFieldColumns & Creator & Pick<LinkRow, 'owner_id' | 'domain_id' | 'hostname'>
  backHalf: string | undefined // Generated if it is undefined.
  maxLinks: number | null
  image: PreviewImage | undefined
}

export type PlannedLink = Pick<NewLink, 'maxLinks' | 'image'> & { row: LinkRow }

type CreateOutcome = { outcome: 'created'; link: LinkRow } | RefusedWrite

export function planLink(
  { columns, backHalf, maxLinks, image }: NewLink,
  now: number,
): PlannedLink {
  const row: LinkRow = {
    ...columns,
    ...imageColumns(image),
    // A version 7 UUID sorts by time, and an owner's links are written in the order in which they are planned.
    id: uuid(),
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

/** Creates a link, unless its Idempotency-Key was used before, or a limit or another link prevents it. */
export const createLink = defineWrite(async function createLink(
  transaction,
  link: PlannedLink,
  now: number,
  idempotent?: IdempotentRequest,
): Promise<CreateOutcome | Repeated> {
  const earlier = idempotent && (await findRepeated(transaction, idempotent, now))
  if (earlier) return earlier
  const result = await tryInsertLink(transaction, link, now)
  if (idempotent && result.outcome === 'created') {
    await rememberRequest(transaction, { ...idempotent, created_at: now })
  }
  return result
})

/** The form was submitted before. `link` is the link that it created, or undefined if that link has changed since. */
type FormUsed = { outcome: 'form_used'; link: LinkRow | undefined }

/** Creates one link, however often the form with this token is submitted. */
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

/**
 * Inserts a link, unless a limit or another link prevents it. Conflicts are returned, because an error would roll back
 * the other writes of the transaction. The transaction has locked the owner, so no other one adds the same destination.
 */
async function tryInsertLink(
  transaction: DbTransaction,
  planned: PlannedLink,
  now: number,
): Promise<CreateOutcome> {
  const { row, image } = planned
  const duplicate = await findDuplicate(transaction, row)
  if (duplicate && linkState(duplicate, now) !== 'expired') {
    return { outcome: 'duplicate', link: duplicate }
  }
  const exceeded = await findExceededLimit(transaction, planned, now)
  if (exceeded) return exceeded
  if (duplicate) await releaseIfExpired(transaction, duplicate, now)
  if (!(await insertLink(transaction, row))) return refuseBackHalf(transaction, row)
  await addTagSets(transaction, [row])
  if (image) await storePreviewImage(transaction, row.id, image.bytes)
  return { outcome: 'created', link: row }
}

async function findExceededLimit(
  transaction: DbTransaction,
  { row: { owner_id: ownerId }, maxLinks }: PlannedLink,
  now: number,
): Promise<RefusedWrite | undefined> {
  if (maxLinks === null) return undefined
  if ((await countLinks(transaction, { ownerId })) >= maxLinks) {
    return { outcome: 'quota_reached', maxLinks }
  }
  return (await deletedTooMany(transaction, ownerId, maxLinks, now))
    ? { outcome: 'too_many_deleted' }
    : undefined
}
