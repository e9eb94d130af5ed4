import { v7 as uuid } from 'uuid'
import type { Db } from '../../database/schema.ts'
import { hashToken } from './sessions.ts'

/**
 * Remembers that a form was submitted, so that submitting it again does nothing. Call this in the transaction that does
 * the form's work. The row is deleted with old tokens (sessions.ts).
 * @param token the form's CSRF token: every page has a new one
 * @returns false if the form was used before
 */
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
