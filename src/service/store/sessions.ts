import type { Kysely } from 'kysely'
import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { Schema } from '../../database/schema.ts'
import { accessOf, SIGN_IN_SCOPE } from './scopes.ts'

/** The cookie that holds the token of a session. */
export const SESSION_COOKIE = 'backhalf_session'

type TokenKind = Schema['dashboard_tokens']['kind']

const MINUTE_MS = 60_000

/** How long a token is valid, in milliseconds. */
const LIFETIME_MS: Record<TokenKind, number> = {
  session: 12 * 60 * MINUTE_MS,
  sign_in_link: 15 * MINUTE_MS,
  used_form: 12 * 60 * MINUTE_MS,
}

/** How much the clocks of several processes may differ, in milliseconds. */
const CLOCK_SKEW_MS = MINUTE_MS

/** Exchanges a one-time token for a session. Returns undefined if it was used or has expired. */
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
  return used && createToken(db, 'session', now)
}

/** Creates a token, and deletes expired ones. */
export async function createToken(
  db: Kysely<Schema>,
  kind: TokenKind,
  now: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.deleteFrom('dashboard_tokens').where('expires_at', '<=', now).execute()
  await db
    .insertInto('dashboard_tokens')
    .values({
      hash: hashOf(token),
      id: uuid(),
      kind,
      created_at: now,
      expires_at: now + LIFETIME_MS[kind],
    })
    .execute()
  return token
}

/** Whom a session belongs to. */
export type Session = NonNullable<Awaited<ReturnType<typeof findSession>>>

/**
 * Finds the session of a token. It has ended if its key is revoked, has expired, or may no longer sign people in.
 *
 * @param now the time in milliseconds since 1970
 * @returns undefined if there is none, or it has ended
 */
export async function findSession(db: Kysely<Schema>, token: string, now: number) {
  const row = await db
    .selectFrom('dashboard_tokens as session')
    .leftJoin('api_keys as key', (join) =>
      join
        .onRef('key.id', '=', 'session.api_key_id')
        .on('key.revoked_at', 'is', null)
        .on((on) => on.or([on('key.expires_at', 'is', null), on('key.expires_at', '>', now)])),
    )
    .leftJoin('owners', 'owners.id', 'key.owner_id')
    .selectAll('session')
    .select(['key.permissions', 'key.scopes', 'key.domain_ids'])
    .select(['owners.id as owner_id', 'owners.name as owner_name'])
    .where('session.hash', '=', hashOf(token))
    .where('session.kind', '=', 'session')
    .where('session.ended_at', 'is', null)
    .where('session.expires_at', '>', now)
    // Otherwise, it would last longer if the clock is set back.
    .where('session.created_at', '<=', now + CLOCK_SKEW_MS)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, expires_at, api_key_id: apiKeyId } = row
  if (apiKeyId === null) return { id, expires_at, member: undefined }
  const { role, permissions, scopes, owner_id: ownerId, owner_name: ownerName } = row
  if (role === null || permissions === null || scopes === null || ownerId === null) return undefined
  const access = accessOf({ permissions, scopes, domain_ids: row.domain_ids })
  if (!access.scopes.has(SIGN_IN_SCOPE)) return undefined
  const person = { id: row.person_id ?? '', name: row.person_name ?? '' }
  const workspace = row.workspace ?? ''
  const member = {
    role,
    person,
    workspace,
    ownerId,
    ownerName: ownerName ?? '',
    apiKeyId,
    ...access,
  }
  return { id, expires_at, member }
}

/**
 * Notes that a form was used, in all processes of the service. Call this inside the transaction that does
 * what the form is for.
 *
 * @param token the form's CSRF token: every page has a new one
 * @returns false if it was used before
 */
export async function markFormUsed(
  db: Kysely<Schema>,
  token: string,
  now: number,
): Promise<boolean> {
  const used = await db
    .insertInto('dashboard_tokens')
    .values({
      hash: hashOf(`form ${token}`),
      id: uuid(),
      kind: 'used_form',
      created_at: now,
      expires_at: now + LIFETIME_MS.used_form,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst()
  return used !== undefined
}

/** Lets a form be submitted again, because it was rejected. Call this in the transaction that marked it. */
export async function releaseForm(db: Kysely<Schema>, token: string): Promise<void> {
  await db
    .deleteFrom('dashboard_tokens')
    .where('hash', '=', hashOf(`form ${token}`))
    .execute()
}

export async function endSession(db: Kysely<Schema>, token: string): Promise<void> {
  await db.deleteFrom('dashboard_tokens').where('hash', '=', hashOf(token)).execute()
}

/** A fast hash is enough, because a token has 256 random bits. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
