import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'

/** How long a first answer is given again, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000

/** A request that may be sent several times, and is to happen once. */
export interface Repeatable {
  apiKeyId: string
  /** The Idempotency-Key that the client chose. */
  key: string
  requestHash: string
}

/**
 * Claims an Idempotency-Key, or finds who claimed it before. To be called inside the transaction
 * that does the work: another process with the same key then waits for how it ends.
 *
 * @returns the earlier request and its answer; undefined where the key is claimed now
 */
export async function claim(
  db: Kysely<Schema>,
  { apiKeyId, key, requestHash }: Repeatable,
  now: number,
): Promise<{ requestHash: string; answer: string } | undefined> {
  await db
    .deleteFrom('idempotent_answers')
    .where('created_at', '<=', now - KEPT_MS)
    .execute()
  const claimed = await db
    .insertInto('idempotent_answers')
    .values({
      api_key_id: apiKeyId,
      idempotency_key: key,
      request_hash: requestHash,
      answer: '',
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('idempotency_key')
    .executeTakeFirst()
  if (claimed) return undefined
  const earlier = await db
    .selectFrom('idempotent_answers')
    .select(['request_hash', 'answer'])
    .where('api_key_id', '=', apiKeyId)
    .where('idempotency_key', '=', key)
    .executeTakeFirstOrThrow()
  return { requestHash: earlier.request_hash, answer: earlier.answer }
}

/** Keeps the answer of a claimed key. */
export async function keepAnswer(
  db: Kysely<Schema>,
  { apiKeyId, key }: Repeatable,
  answer: string,
): Promise<void> {
  await db
    .updateTable('idempotent_answers')
    .set({ answer })
    .where('api_key_id', '=', apiKeyId)
    .where('idempotency_key', '=', key)
    .execute()
}

/** Gives a claimed key back: the request was refused and made nothing. */
export async function release(db: Kysely<Schema>, { apiKeyId, key }: Repeatable): Promise<void> {
  await db
    .deleteFrom('idempotent_answers')
    .where('api_key_id', '=', apiKeyId)
    .where('idempotency_key', '=', key)
    .execute()
}
