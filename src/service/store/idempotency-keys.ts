import type { Kysely } from 'kysely'
import { isPostgres } from '../../database/dialects.ts'
import { prepared, preparedRow } from '../../database/prepared.ts'
import type { Schema } from '../../database/schema.ts'

const LIFETIME_MS = 24 * 60 * 60 * 1000

export interface IdempotentRequest {
  apiKeyId: string
  key: string
  requestHash: string
  response: string
}

export type EarlierRequest = Pick<IdempotentRequest, 'requestHash' | 'response'>

/**
 * Claims an Idempotency-Key for a request that is expected to succeed, unless a request of the last 24 hours has
 * claimed it. Call this inside the transaction that does the work: another process with the same key then waits
 * until it ends.
 *
 * @returns the earlier request; undefined if the key is now claimed
 */
export async function claimKey(db: Kysely<Schema>, request: IdempotentRequest, now: number) {
  if (await insertKey(db, toRow(request, now))) return undefined
  const earlier = await db
    .selectFrom('idempotent_answers')
    .selectAll()
    .where('api_key_id', '=', request.apiKeyId)
    .where('idempotency_key', '=', request.key)
    .executeTakeFirstOrThrow()
  if (earlier.created_at > now - LIFETIME_MS) {
    return { requestHash: earlier.request_hash, response: earlier.answer }
  }
  await releaseKey(db, request)
  await insertKey(db, toRow(request, now))
  return undefined
}

export async function claimKeys(
  db: Kysely<Schema>,
  requests: readonly IdempotentRequest[],
  now: number,
): Promise<Set<IdempotentRequest>> {
  if (requests.length === 0) return new Set()
  const rows = await db
    .insertInto('idempotent_answers')
    .values(requests.map((request) => toRow(request, now)))
    .onConflict((conflict) => conflict.doNothing())
    .returning(['api_key_id as apiKeyId', 'idempotency_key as key'])
    .execute()
  const toId = ({ apiKeyId, key }: { apiKeyId: string; key: string }) => `${apiKeyId} ${key}`
  const claimed = new Set(rows.map(toId))
  // Of two requests with the same key, the first has claimed it.
  return new Set(requests.filter((request) => claimed.delete(toId(request))))
}

const insertKey = preparedRow((db, row: Schema['idempotent_answers']) =>
  db
    .insertInto('idempotent_answers')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('created_at'),
)

function toRow({ apiKeyId, key, requestHash, response }: IdempotentRequest, now: number) {
  return {
    api_key_id: apiKeyId,
    idempotency_key: key,
    request_hash: requestHash,
    answer: response,
    created_at: now,
  }
}

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

export async function deleteExpiredKeys(db: Kysely<Schema>, limit: number, now: number) {
  return (await deleteBefore(db, limit, now - LIFETIME_MS)).length
}

const deleteBefore = prepared((db, limit: number, before: number) =>
  db
    .deleteFrom('idempotent_answers')
    .returning('created_at')
    .where((where) =>
      where(
        where.refTuple('api_key_id', 'idempotency_key'),
        'in',
        where
          .selectFrom('idempotent_answers')
          .select(['api_key_id', 'idempotency_key'])
          .where('created_at', '<=', before)
          .orderBy('created_at')
          .limit(limit)
          // Other processes delete expired keys, too.
          .$if(isPostgres(db), (query) => query.forUpdate().skipLocked())
          .$asTuple('api_key_id', 'idempotency_key'),
      ),
    ),
)
