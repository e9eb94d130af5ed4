import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'

/** How long the response to a key is repeated, in milliseconds. */
const LIFETIME_MS = 24 * 60 * 60 * 1000

/** Expired responses that a create deletes, so that none takes long, even after a pause. */
const DELETED_AT_ONCE = 10

/** A request that a client may send several times, but that must take effect once. */
export interface IdempotentRequest {
  apiKeyId: string
  /** The Idempotency-Key that the client chose. */
  key: string
  requestHash: string
}

/**
 * Claims an Idempotency-Key, unless an earlier request has claimed it. Call this inside the
 * transaction that does the work: another process with the same key then waits until it ends.
 *
 * @returns the earlier request and its response; undefined if the key is now claimed
 */
export async function claimKey(
  db: Kysely<Schema>,
  { apiKeyId, key, requestHash }: IdempotentRequest,
  now: number,
): Promise<{ requestHash: string; response: string } | undefined> {
  await deleteExpired(db, { apiKeyId, key }, now)
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
  return { requestHash: earlier.request_hash, response: earlier.answer }
}

/** Saves the response to the request that claimed a key. */
export async function saveResponse(
  db: Kysely<Schema>,
  { apiKeyId, key }: IdempotentRequest,
  response: string,
): Promise<void> {
  await db
    .updateTable('idempotent_answers')
    .set({ answer: response })
    .where('api_key_id', '=', apiKeyId)
    .where('idempotency_key', '=', key)
    .execute()
}

/** Releases a claimed key, because the request was rejected and created nothing. */
export async function releaseKey(
  db: Kysely<Schema>,
  { apiKeyId, key }: Pick<IdempotentRequest, 'apiKeyId' | 'key'>,
): Promise<void> {
  await db
    .deleteFrom('idempotent_answers')
    .where('api_key_id', '=', apiKeyId)
    .where('idempotency_key', '=', key)
    .execute()
}

/** Deletes the expired response to a key that is claimed, and a few others: more than one create adds, so that none stay for long. */
async function deleteExpired(
  db: Kysely<Schema>,
  claimed: Pick<IdempotentRequest, 'apiKeyId' | 'key'>,
  now: number,
): Promise<void> {
  await db
    .deleteFrom('idempotent_answers')
    .where('api_key_id', '=', claimed.apiKeyId)
    .where('idempotency_key', '=', claimed.key)
    .where('created_at', '<=', now - LIFETIME_MS)
    .execute()
  const expired = await db
    .selectFrom('idempotent_answers')
    .select(['api_key_id', 'idempotency_key'])
    .where('created_at', '<=', now - LIFETIME_MS)
    .orderBy('created_at')
    .limit(DELETED_AT_ONCE)
    .execute()
  for (const { api_key_id: apiKeyId, idempotency_key: key } of expired) {
    await releaseKey(db, { apiKeyId, key })
  }
}
