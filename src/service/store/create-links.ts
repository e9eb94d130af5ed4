import type { Transaction } from 'kysely'
import type { Schema } from '../../database/schema.ts'
import { defineBulkWrite } from '../../database/write.ts'
import {
  claimKey,
  claimKeys,
  deleteExpiredKeys,
  releaseKey,
  type EarlierRequest,
  type IdempotentRequest,
} from './idempotency-keys.ts'
import { tryInsertLink, type CreateOutcome, type PlannedLink } from './insert-link.ts'
import { insertLinks } from './links.ts'
import { storePreviewImage } from './preview-images.ts'

/** An earlier request has used the Idempotency-Key. */
export type Repeated = { outcome: 'repeated' } & EarlierRequest

/** The arguments of `createLink`. */
type Create = [link: PlannedLink, now: number, idempotent?: IdempotentRequest]

/**
 * Creates a link, unless something prevents it. Links that are created together take one statement for all that
 * nothing prevents. The others, such as duplicates, follow one by one, in their order. The transaction has locked
 * the owners.
 *
 * @param now the time in milliseconds since 1970
 * @param idempotent set if the request has an Idempotency-Key
 */
export const createLink = defineBulkWrite(
  import.meta.url,
  'createLink',
  async (transaction, creates: readonly Create[]): Promise<(CreateOutcome | Repeated)[]> => {
    const [, now = 0] = creates[0] ?? []
    const keys = creates.flatMap(([, , idempotent]) => idempotent ?? [])
    if (keys.length > 0) await deleteExpiredKeys(transaction, keys.length, now)
    // Owners with a quota are left out, because their links are counted.
    const free = creates.filter(([{ maxLinks }]) => maxLinks === null)
    const claimed = await claimKeys(
      transaction,
      free.flatMap(([, , idempotent]) => idempotent ?? []),
      now,
    )
    const unprevented = free.filter(([, , idempotent]) => !idempotent || claimed.has(idempotent))
    const inserted = await insertLinks(
      transaction,
      unprevented.map(([{ row }]) => row),
    )
    const results: (CreateOutcome | Repeated)[] = []
    for (const create of creates) {
      const [{ row, image }, , idempotent] = create
      if (inserted.has(row.id)) {
        if (image) await storePreviewImage(transaction, row.id, image.bytes)
        results.push({ outcome: 'created', link: row })
      } else {
        const isClaimed = idempotent !== undefined && claimed.has(idempotent)
        results.push(await createAlone(transaction, create, isClaimed))
      }
    }
    return results
  },
)

async function createAlone(
  transaction: Transaction<Schema>,
  [link, now, idempotent]: Create,
  isClaimed: boolean,
): Promise<CreateOutcome | Repeated> {
  if (idempotent && !isClaimed) {
    const earlier = await claimKey(transaction, idempotent, now)
    if (earlier) return { outcome: 'repeated', ...earlier }
  }
  const result = await tryInsertLink(transaction, link, now)
  if (idempotent && result.outcome !== 'created') await releaseKey(transaction, idempotent)
  return result
}
