import type { Insertable, Kysely } from 'kysely'
import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { DashboardRole } from '../../contract/extension-calls.ts'
import type { Person } from '../../contract/person.ts'
import type { Schema } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import { accessOf, SIGN_IN_SCOPE } from './scopes.ts'

type TokenKind = Exclude<Schema['dashboard_tokens']['kind'], 'used_form'>

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** How long a token of the administrator is valid, in milliseconds. */
const LIFETIME_MS = { session: 12 * 60 * MINUTE_MS, sign_in_link: 15 * MINUTE_MS }

/** The same for a token of a person whom the holder of a key signs in. */
const MEMBER_LIFETIME_MS = { session: 60 * MINUTE_MS, sign_in_link: 5 * MINUTE_MS }

/** How long the list of sessions shows who signed in, in days. */
export const KEPT_DAYS = 30

/** How many sessions and one-time addresses of a key are kept, so that no key can fill the disk with them. */
const KEPT_PER_KEY = 10_000

/** How much the clocks of several processes may differ, in milliseconds. */
const CLOCK_SKEW_MS = MINUTE_MS

/** Exchanges a one-time token for a session. Returns undefined if it was used, has expired, or its key is not valid. */
export async function signInByLink(
  db: Kysely<Schema>,
  token: string,
  now: number,
): Promise<string | undefined> {
  const found = await findViewer(db, 'sign_in_link', token, now)
  if (!found) return undefined
  const session = newToken()
  const { session: lifetime } = found.kind === 'member' ? MEMBER_LIFETIME_MS : LIFETIME_MS
  // Of several processes, the first one changes the hash, by which the others don't find it.
  const used = await db
    .updateTable('dashboard_tokens')
    .set({ hash: hashOf(session), kind: 'session', created_at: now, expires_at: now + lifetime })
    .where('hash', '=', hashOf(token))
    .where('kind', '=', 'sign_in_link')
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return used && session
}

/** Creates a token of the administrator, and deletes old ones. */
export async function createToken(
  db: Kysely<Schema>,
  kind: TokenKind,
  now: number,
): Promise<string> {
  await deleteOldTokens(db, now)
  const token = newToken()
  await insertToken(db, {
    hash: hashOf(token),
    kind,
    created_at: now,
    expires_at: now + LIFETIME_MS[kind],
  })
  return token
}

/** Whom the holder of a key signs in, as the holder says. */
export interface NewMember {
  apiKeyId: string
  person: Person
  role: DashboardRole
  /** The name of the workspace. */
  workspace: string
}

/**
 * Creates the token of a one-time address. The person's sessions with this key get the new role at once.
 *
 * @returns the token, and when it expires
 */
export const createMemberLink = defineWrite(
  import.meta.url,
  'createMemberLink',
  async (transaction, { apiKeyId, person, role, workspace }: NewMember, now: number) => {
    const member = { person_id: person.id, person_name: person.name, role, workspace }
    await transaction
      .updateTable('dashboard_tokens')
      .set(member)
      .where('api_key_id', '=', apiKeyId)
      .where('person_id', '=', person.id)
      .where('expires_at', '>', now)
      .where('ended_at', 'is', null)
      .execute()
    await deleteOldTokens(transaction, now)
    await transaction
      .deleteFrom('dashboard_tokens')
      .where('api_key_id', '=', apiKeyId)
      .where('created_at', '<=', (from) =>
        from
          .selectFrom('dashboard_tokens')
          .select('created_at')
          .where('api_key_id', '=', apiKeyId)
          .orderBy('created_at', 'desc')
          .limit(1)
          .offset(KEPT_PER_KEY - 1),
      )
      .execute()
    const token = newToken()
    const expiresAt = now + MEMBER_LIFETIME_MS.sign_in_link
    await insertToken(transaction, {
      hash: hashOf(token),
      kind: 'sign_in_link',
      created_at: now,
      expires_at: expiresAt,
      api_key_id: apiKeyId,
      ...member,
    })
    return { token, expiresAt }
  },
)

/** Deletes tokens that the list of sessions no longer shows. By then, all have expired. */
export async function deleteOldTokens(db: Kysely<Schema>, now: number): Promise<void> {
  await db
    .deleteFrom('dashboard_tokens')
    .where('created_at', '<=', now - KEPT_DAYS * DAY_MS)
    .execute()
}

async function insertToken(
  db: Kysely<Schema>,
  row: Omit<Insertable<Schema['dashboard_tokens']>, 'id'>,
): Promise<void> {
  await db
    .insertInto('dashboard_tokens')
    .values({ id: uuid(), ...row })
    .execute()
}

/**
 * Who uses the dashboard: its administrator, or a person whom the holder of an API key signed in. Nothing that the key
 * can't reach may be shown to a member, or changed by one.
 */
export type Viewer = NonNullable<Awaited<ReturnType<typeof findViewer>>>

/**
 * Finds whom a session or a one-time token is for. It has ended if its key is revoked, has expired, or may no longer
 * sign people in.
 *
 * @param now the time in milliseconds since 1970
 * @returns undefined if there is none, or it has ended
 */
export async function findViewer(db: Kysely<Schema>, kind: TokenKind, token: string, now: number) {
  const row = await db
    .selectFrom('dashboard_tokens as token')
    .leftJoin('api_keys as key', (join) =>
      join
        .onRef('key.id', '=', 'token.api_key_id')
        .on('key.revoked_at', 'is', null)
        .on((on) => on.or([on('key.expires_at', 'is', null), on('key.expires_at', '>', now)])),
    )
    .leftJoin('owners', 'owners.id', 'key.owner_id')
    .selectAll('token')
    .select(['key.permissions', 'key.scopes', 'key.domain_ids'])
    .select(['owners.id as owner_id', 'owners.name as owner_name'])
    .where('token.hash', '=', hashOf(token))
    .where('token.kind', '=', kind)
    .where('token.ended_at', 'is', null)
    .where('token.expires_at', '>', now)
    // Otherwise, it would last longer if the clock is set back.
    .where('token.created_at', '<=', now + CLOCK_SKEW_MS)
    .executeTakeFirst()
  if (!row) return undefined
  const { id: sessionId, api_key_id: apiKeyId, role, owner_id: ownerId, permissions, scopes } = row
  if (apiKeyId === null) return { kind: 'administrator', sessionId } as const
  if (role === null || ownerId === null || permissions === null || scopes === null) return undefined
  const access = accessOf({ permissions, scopes, domain_ids: row.domain_ids })
  if (!access.scopes.has(SIGN_IN_SCOPE)) return undefined
  return {
    ...{ kind: 'member' as const, sessionId, endsAt: row.expires_at },
    ...{ ...access, apiKeyId, ownerId, ownerName: row.owner_name ?? '' },
    // As the key's holder says.
    ...{ role, workspace: row.workspace ?? '' },
    person: { id: row.person_id ?? '', name: row.person_name ?? '' },
  }
}

/** Ends the session of a token. */
export async function endSession(db: Kysely<Schema>, token: string, now: number): Promise<void> {
  await db
    .updateTable('dashboard_tokens')
    .set({ ended_at: now })
    .where('hash', '=', hashOf(token))
    .where('kind', '=', 'session')
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends the sessions and one-time addresses of a key: those of a person, or all of them. */
export async function endMemberSessions(
  db: Kysely<Schema>,
  { apiKeyId, personId }: { apiKeyId: string; personId: string | undefined },
  now: number,
): Promise<void> {
  await db
    .updateTable('dashboard_tokens')
    .set({ ended_at: now })
    .where('api_key_id', '=', apiKeyId)
    .$if(personId !== undefined, (query) => query.where('person_id', '=', personId ?? ''))
    .where('expires_at', '>', now)
    .where('ended_at', 'is', null)
    .execute()
}

function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** A fast hash is enough, because a token has 256 random bits. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
