import type { DbTransaction } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import {
  claimKey,
  claimKeys,
  deleteExpiredKeys,
  releaseKey,
  type IdempotentRequest,
} from './idempotency-keys.ts'
import { tryInsertLink, type CreateOutcome, type PlannedLink } from './insert-link.ts'
import { findDuplicate, insertLinks, type LinkRow } from './links.ts'
import { storePreviewImage } from './preview-images.ts'
import { addTagSets } from './tags.ts'
import { markFormUsed, releaseForm } from './used-forms.ts'

export type Repeated = { outcome: 'repeated' } & IdempotentRequest

/**
 * How many expired Idempotency-Keys a request that creates a link deletes. With this limit, no such request takes long,
 * even after a quiet day.
 */
const EXPIRED_PER_REQUEST = 10

interface CreateRequest {
  link: PlannedLink
  now: number
  idempotent?: IdempotentRequest | undefined
}

/**
 * Creates a link, unless its Idempotency-Key was used before, or a quota or another link prevents it. `createLinks`
 * runs several calls with shared statements. Without it, PostgreSQL would create 30 to 40 % fewer links a second.
 */
export const createLink = defineWrite(async function createLink(
  transaction,
  request: CreateRequest,
): Promise<CreateOutcome | Repeated> {
  const { now, idempotent } = request
  if (idempotent) await deleteExpiredKeys(transaction, EXPIRED_PER_REQUEST, now)
  return (await claimOrFindEarlier(transaction, request)) ?? insertOrRelease(transaction, request)
}, createLinks)

async function claimOrFindEarlier(
  transaction: DbTransaction,
  { now, idempotent }: CreateRequest,
): Promise<Repeated | undefined> {
  const earlier = idempotent && (await claimKey(transaction, idempotent, now))
  return earlier && { outcome: 'repeated', ...earlier }
}

async function insertOrRelease(
  transaction: DbTransaction,
  { link, now, idempotent }: CreateRequest,
): Promise<CreateOutcome> {
  const result = await tryInsertLink(transaction, link, now)
  if (idempotent && result.outcome !== 'created') await releaseKey(transaction, idempotent)
  return result
}

/** Creates the links of several requests. All count as created at the time of the first request. */
async function createLinks(
  transaction: DbTransaction,
  calls: readonly [CreateRequest][],
): Promise<(CreateOutcome | Repeated)[]> {
  const requests = calls.flat()
  const now = requests[0]?.now ?? 0
  const keyCount = requests.filter(({ idempotent }) => idempotent).length
  if (keyCount > 0) await deleteExpiredKeys(transaction, keyCount * EXPIRED_PER_REQUEST, now)
  const { claimed, inserted } = await insertTogether(transaction, requests, now)
  const results: (CreateOutcome | Repeated)[] = []
  for (const request of requests) {
    const { link, idempotent } = request
    if (inserted.has(link.row.id)) {
      results.push({ outcome: 'created', link: link.row })
      continue
    }
    // This link wasn't inserted with the others, because of a quota, a repeated key or a conflict. The single calls
    // return the reason.
    const isClaimed = idempotent && claimed.has(idempotent)
    const earlier = isClaimed ? undefined : await claimOrFindEarlier(transaction, request)
    results.push(earlier ?? (await insertOrRelease(transaction, request)))
  }
  return results
}

/**
 * Claims the keys of several requests with one statement, and inserts their links with another. Links with a conflict
 * are left out, and so are links of owners with a quota, which have to be counted.
 */
async function insertTogether(
  transaction: DbTransaction,
  requests: readonly CreateRequest[],
  now: number,
): Promise<{ claimed: Set<IdempotentRequest>; inserted: Set<string> }> {
  const withoutQuota = requests.filter(({ link }) => link.maxLinks === null)
  const keys = withoutQuota.flatMap(({ idempotent }) => idempotent ?? [])
  const claimed = await claimKeys(transaction, keys, now)
  const links = withoutQuota
    .filter(({ idempotent }) => !idempotent || claimed.has(idempotent))
    .map(({ link }) => link)
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

/** The form was submitted before. `link` is the link that it created, or undefined if that link has changed since. */
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
