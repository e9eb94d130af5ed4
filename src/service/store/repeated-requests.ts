import { sql } from 'kysely'
import { isPostgres } from '../../database/dialects.ts'
import { prepared, preparedRow } from '../../database/prepared.ts'
import type { Db, Schema } from '../../database/schema.ts'
import { v7 as uuid } from 'uuid'
import { hashToken } from './sessions.ts'

const LIFETIME_MS = 24 * 60 * 60 * 1000

type Row = Schema['idempotent_answers']

export type IdempotentRequest = Omit<Row, 'created_at'>

export type Repeated = { outcome: 'repeated' } & IdempotentRequest

/**
 * Finds the request of the last 24 hours with the same Idempotency-Key. The transaction has locked the owner, so no
 * other request can use the key until it ends.
 */
export async function findRepeated(
  db: Db,
  request: IdempotentRequest,
  now: number,
): Promise<Repeated | undefined> {
  const earlier = await selectRequest(db, request, now - LIFETIME_MS)
  return earlier && { outcome: 'repeated', ...earlier }
}

const selectRequest = preparedRow(
  (db, { api_key_id, idempotency_key }: IdempotentRequest, after: number) =>
    db
      .selectFrom('idempotent_answers')
      .selectAll()
      .where((is) => is.and({ api_key_id, idempotency_key }))
      .where('created_at', '>', after),
)

/** Remembers a request with its response. An expired request with the same key is replaced. */
export const rememberRequest = prepared((db, row: Row) =>
  db
    .insertInto('idempotent_answers')
    .values(row)
    .onConflict((is) => is.columns(['api_key_id', 'idempotency_key']).doUpdateSet(row)),
)

export async function deleteExpiredKeys(db: Db, limit: number, now: number): Promise<bigint> {
  // A row that a create is replacing is skipped. Otherwise, PostgreSQL would wait, and delete the new request.
  const locking = isPostgres(db) ? sql`for update skip locked` : sql``
  const { numAffectedRows = 0n } = await sql`
    delete from idempotent_answers where (api_key_id, idempotency_key) in (
      select api_key_id, idempotency_key from idempotent_answers
      where created_at <= ${now - LIFETIME_MS} order by created_at limit ${limit} ${locking}
    )`.execute(db)
  return numAffectedRows
}

/** Call this in the transaction that does the form's work. @returns false if a form with this token was used before */
export async function markFormUsed(db: Db, token: string, now: number) {
  const used = await db
    .insertInto('dashboard_tokens')
    .values({
      hash: hashToken(`form ${token}`),
      id: uuid(),
      kind: 'used_form',
      created_at: now,
      expires_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst()
  return used !== undefined
}

export async function releaseForm(db: Db, token: string): Promise<void> {
  await db
    .deleteFrom('dashboard_tokens')
    .where('hash', '=', hashToken(`form ${token}`))
    .execute()
}
