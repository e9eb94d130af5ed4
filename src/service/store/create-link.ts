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
 * Each create deletes up to 10 expired Idempotency-Keys. With this limit, no create takes long, even after a quiet day.
 */
const EXPIRED_PER_CREATE = 10

interface Create {
  link: PlannedLink
  now: number
  idempotent?: IdempotentRequest | undefined
}

/**
 * Creates a link, unless its Idempotency-Key was used before, or a quota or another link prevents it. On PostgreSQL,
 * `createLinks` runs several calls with shared statements, because there would be 30 to 40 % fewer creates a second
 * without it. SQLite runs prepared statements faster.
 */
export const createLink = defineWrite(async function createLink(
  transaction,
  create: Create,
): Promise<CreateOutcome | Repeated> {
  const { now, idempotent } = create
  if (idempotent) await deleteExpiredKeys(transaction, EXPIRED_PER_CREATE, now)
  return (await claimOrFindEarlier(transaction, create)) ?? insertOrRelease(transaction, create)
}, createLinks)

async function claimOrFindEarlier(
  transaction: DbTransaction,
  { now, idempotent }: Create,
): Promise<Repeated | undefined> {
  const earlier = idempotent && (await claimKey(transaction, idempotent, now))
  return earlier && { outcome: 'repeated', ...earlier }
}

async function insertOrRelease(
  transaction: DbTransaction,
  { link, now, idempotent }: Create,
): Promise<CreateOutcome> {
  const result = await tryInsertLink(transaction, link, now)
  if (idempotent && result.outcome !== 'created') await releaseKey(transaction, idempotent)
  return result
}

/** Creates the links of several calls. All count as created at the time of the first call. */
async function createLinks(
  transaction: DbTransaction,
  calls: readonly [Create][],
): Promise<(CreateOutcome | Repeated)[]> {
  const creates = calls.flat()
  const now = creates[0]?.now ?? 0
  const keys = creates.filter(({ idempotent }) => idempotent).length
  if (keys > 0) await deleteExpiredKeys(transaction, keys * EXPIRED_PER_CREATE, now)
  const { claimed, inserted } = await insertTogether(transaction, creates, now)
  const results: (CreateOutcome | Repeated)[] = []
  for (const create of creates) {
    const { link, idempotent } = create
    if (inserted.has(link.row.id)) {
      results.push({ outcome: 'created', link: link.row })
      continue
    }
    // This link wasn't inserted with the others, because of a quota, a repeated key or a conflict.
    const isClaimed = idempotent && claimed.has(idempotent)
    const earlier = isClaimed ? undefined : await claimOrFindEarlier(transaction, create)
    results.push(earlier ?? (await insertOrRelease(transaction, create)))
  }
  return results
}

/**
 * Claims the keys and inserts the links of several creates with one statement each, unless something prevents a
 * create. Owners with a quota are left out, because their links are counted.
 */
async function insertTogether(
  transaction: DbTransaction,
  creates: readonly Create[],
  now: number,
): Promise<{ claimed: Set<IdempotentRequest>; inserted: Set<string> }> {
  const free = creates.filter(({ link }) => link.maxLinks === null)
  const keys = free.flatMap(({ idempotent }) => idempotent ?? [])
  const claimed = await claimKeys(transaction, keys, now)
  const links = free
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
