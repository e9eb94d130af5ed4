import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { DashboardTokensTable, Schema } from '../../database/schema.ts'
import { generatePassword, hashPassword, isPassword } from './password.ts'

type TokenKind = DashboardTokensTable['kind']

const MINUTE_MS = 60_000

/** How long a token is good for, in milliseconds. */
const LIFETIME_MS: Record<TokenKind, number> = {
  session: 12 * 60 * MINUTE_MS,
  sign_in_link: 15 * MINUTE_MS,
}

/** Wrong passwords in a row before none is tried for a while. */
const FAILURES = 5
const LOCKED_MS = 15 * MINUTE_MS

const ID = 'administrator'

/** What came of a try to sign in by password. */
export type SignIn =
  | { outcome: 'signed_in'; session: string }
  | { outcome: 'wrong' }
  | { outcome: 'locked'; minutes: number }

/** Sets a new password, which ends every session. `password` is the only time that it is seen. */
export async function setPassword(db: Kysely<Schema>): Promise<string> {
  const password = generatePassword()
  const row = { id: ID, hash: await hashPassword(password), failures: 0, locked_until: 0 } as const
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('dashboard_passwords')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute()
    await transaction.deleteFrom('dashboard_tokens').execute()
  })
  return password
}

/**
 * Tries a password. After some wrong ones in a row, none is tried for a while; a one-time link
 * works all the same, so that nobody can lock the administrator out.
 */
export async function signInByPassword(
  db: Kysely<Schema>,
  password: string,
  now: number,
): Promise<SignIn> {
  // Counted before it is tried, so that many tries at once are as many failures.
  const row = await db
    .updateTable('dashboard_passwords')
    .set((is) => ({ failures: is('failures', '+', 1) }))
    .where('locked_until', '<=', now)
    .returningAll()
    .executeTakeFirst()
  if (!row) {
    const locked = await db.selectFrom('dashboard_passwords').selectAll().executeTakeFirst()
    if (!locked) return { outcome: 'wrong' }
    return { outcome: 'locked', minutes: Math.ceil((locked.locked_until - now) / MINUTE_MS) }
  }
  if (row.failures <= FAILURES && (await isPassword(password, row.hash))) {
    await db.updateTable('dashboard_passwords').set({ failures: 0 }).execute()
    return { outcome: 'signed_in', session: await makeToken(db, 'session', now) }
  }
  if (row.failures < FAILURES) return { outcome: 'wrong' }
  await db
    .updateTable('dashboard_passwords')
    .set({ failures: 0, locked_until: now + LOCKED_MS })
    .execute()
  return { outcome: 'locked', minutes: LOCKED_MS / MINUTE_MS }
}

/** Turns a one-time link's token into a session; undefined where it was used, or is too old. */
export async function signInByLink(
  db: Kysely<Schema>,
  token: string,
  now: number,
): Promise<string | undefined> {
  const used = await db
    .deleteFrom('dashboard_tokens')
    .where('hash', '=', hashOf(token))
    .where('kind', '=', 'sign_in_link')
    .where('expires_at', '>', now)
    .returning('hash')
    .executeTakeFirst()
  return used && makeToken(db, 'session', now)
}

/** Makes a token; what is past is thrown away on the way. */
export async function makeToken(db: Kysely<Schema>, kind: TokenKind, now: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.deleteFrom('dashboard_tokens').where('expires_at', '<=', now).execute()
  await db
    .insertInto('dashboard_tokens')
    .values({ hash: hashOf(token), kind, expires_at: now + LIFETIME_MS[kind] })
    .execute()
  return token
}

/** Whether a token is a session's that has not ended. */
export async function isSession(db: Kysely<Schema>, token: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('dashboard_tokens')
    .select('hash')
    .where('hash', '=', hashOf(token))
    .where('kind', '=', 'session')
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

export async function endSession(db: Kysely<Schema>, token: string): Promise<void> {
  await db.deleteFrom('dashboard_tokens').where('hash', '=', hashOf(token)).execute()
}

/** A token has 256 random bits, so a fast hash is enough. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
