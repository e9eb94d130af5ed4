import { isPostgres } from '../../database/dialects.ts'
import { prepared, preparedRow } from '../../database/prepared.ts'
import type { Db, Schema } from '../../database/schema.ts'

const LIFETIME_MS = 24 * 60 * 60 * 1000

type Row = Schema['idempotent_answers']

export type IdempotentRequest = Omit<Row, 'created_at'>

export type Repeated = { outcome: 'repeated' } & IdempotentRequest

/**
 * Claims an Idempotency-Key for a request that is expected to succeed, unless a request of the last 24 hours has
 * claimed it. Call this in the transaction that does the work, so that another request with the key waits for its end.
 * @returns the earlier request; undefined if the key is now claimed
 */
export async function claimKey(
  db: Db,
  request: IdempotentRequest,
  now: number,
): Promise<Repeated | undefined> {
  const row = { ...request, created_at: now }
  if (await insertKey(db, row)) return undefined
  const earlier = await db
    .selectFrom('idempotent_answers')
    .selectAll()
    .where('api_key_id', '=', request.api_key_id)
    .where('idempotency_key', '=', request.idempotency_key)
    .executeTakeFirstOrThrow()
  if (earlier.created_at > now - LIFETIME_MS) return { outcome: 'repeated', ...earlier }
  await releaseKey(db, request)
  await insertKey(db, row)
  return undefined
}

const insertKey = preparedRow((db, row: Row) =>
  db
    .insertInto('idempotent_answers')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('created_at'),
)

export async function releaseKey(db: Db, { api_key_id, idempotency_key }: IdempotentRequest) {
  await db
    .deleteFrom('idempotent_answers')
    .where('api_key_id', '=', api_key_id)
    .where('idempotency_key', '=', idempotency_key)
    .execute()
}

export async function deleteExpiredKeys(db: Db, limit: number, now: number) {
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
          // Skips the rows that another process is deleting.
          .$if(isPostgres(db), (query) => query.forUpdate().skipLocked())
          .$asTuple('api_key_id', 'idempotency_key'),
      ),
    ),
)
