import type { Transaction } from 'kysely'
import type { DatabaseKind } from '../../database/database.ts'
import type { Schema } from '../../database/schema.ts'
import { generateBackHalf } from './back-half.ts'
import {
  claimKey,
  claimKeys,
  deleteExpiredKeys,
  keyId,
  releaseKey,
  saveResponse,
  type IdempotentRequest,
} from './idempotency-keys.ts'
import { newLinkRow, tryInsertLink, type CreateOutcome, type NewLink } from './insert-link.ts'
import { insertLinks, type LinkRow } from './links.ts'
import { storePreviewImage } from './preview-images.ts'

/** A create that a client may send several times, and the response to it, which is stored with the link. */
export interface IdempotentCreate extends IdempotentRequest {
  toResponse: (link: LinkRow) => string
}

export interface Create {
  link: NewLink
  /** Set if the request has an Idempotency-Key. */
  idempotent: IdempotentCreate | undefined
}

/** An earlier request has used the Idempotency-Key. */
export type Repeated = { outcome: 'repeated'; requestHash: string; response: string }

/**
 * Creates links, with one statement for all that nothing prevents. The others, such as duplicates, follow one
 * by one, in their order. The transaction has locked the owners.
 *
 * @param now the time in milliseconds since 1970
 * @returns the results, in the order of the creates
 */
export async function createLinks(
  transaction: Transaction<Schema>,
  kind: DatabaseKind,
  creates: readonly Create[],
  now: number,
): Promise<(CreateOutcome | Repeated)[]> {
  const withKey = creates.filter(({ idempotent }) => idempotent !== undefined).length
  if (withKey > 0) await deleteExpiredKeys(transaction, kind, withKey, now)
  const planned = await insertTogether(transaction, creates, now)
  const results: (CreateOutcome | Repeated)[] = []
  for (const create of creates) {
    const { row, isInserted = false } = planned.get(create) ?? {}
    results.push(
      row && isInserted
        ? { outcome: 'created', link: row }
        : await createAlone(transaction, create, row, now),
    )
  }
  return results
}

/**
 * Claims the keys of all creates and inserts their links. Owners with a quota are left out, because their
 * links are counted, and so are keys that are in use.
 *
 * @returns the rows of the creates whose keys are claimed, and whether they are inserted
 */
async function insertTogether(
  transaction: Transaction<Schema>,
  creates: readonly Create[],
  now: number,
): Promise<Map<Create, { row: LinkRow; isInserted: boolean }>> {
  const drafts = creates
    .filter(({ link }) => link.maxLinks === null)
    .map((create) => {
      const { link, idempotent } = create
      const row = newLinkRow(link, link.backHalf ?? generateBackHalf(), now)
      const claim = idempotent && { ...idempotent, response: idempotent.toResponse(row) }
      return { create, row, claim }
    })
  const claimed = await claimKeys(
    transaction,
    drafts.flatMap(({ claim }) => claim ?? []),
    now,
  )
  const free = drafts.filter(({ claim }) => {
    // Two requests with one key may be in the same transaction: the first has claimed it.
    return !claim || claimed.delete(keyId(claim))
  })
  const inserted = await insertLinks(
    transaction,
    free.map(({ row }) => row),
  )
  const planned = new Map<Create, { row: LinkRow; isInserted: boolean }>()
  for (const { create, row } of free) {
    const isInserted = inserted.has(row.id)
    const { image } = create.link
    if (isInserted && image) await storePreviewImage(transaction, row.id, image.bytes)
    planned.set(create, { row, isInserted })
  }
  return planned
}

/** @param refused a row for which the key is claimed, and that could not be inserted */
async function createAlone(
  transaction: Transaction<Schema>,
  { link, idempotent }: Create,
  refused: LinkRow | undefined,
  now: number,
): Promise<CreateOutcome | Repeated> {
  if (idempotent && !refused) {
    const earlier = await claimKey(transaction, idempotent, now)
    if (earlier) return { outcome: 'repeated', ...earlier }
  }
  const result = await tryInsertLink(transaction, link, now, refused)
  if (!idempotent) return result
  if (result.outcome === 'created') {
    await saveResponse(transaction, idempotent, idempotent.toResponse(result.link))
  } else await releaseKey(transaction, idempotent)
  return result
}
