import { sql, type Insertable, type Updateable } from 'kysely'
import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { DashboardRole } from '../../contract/extension-calls.ts'
import type { Db, Schema } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import { DAY_MS } from '../../timing/days.ts'
import { DASHBOARD } from './links.ts'
import {
  toAccess,
  isUnlimited,
  isValidKey,
  parseList,
  selectKeys,
  SIGN_IN_SCOPE,
} from './scopes.ts'

// A token opens the dashboard. A sign-in link's token works once. A session's token, in a cookie, works until it ends.
type TokenKind = Exclude<Schema['dashboard_tokens']['kind'], 'used_form'>

const MINUTE_MS = 60_000
const LIFETIME_MS = {
  administrator: { session: 12 * 60 * MINUTE_MS, sign_in_link: 15 * MINUTE_MS },
  member: { session: 60 * MINUTE_MS, sign_in_link: 5 * MINUTE_MS },
}

export const KEPT_DAYS = 30

// The sessions and sign-in links of a key that are kept. Without a limit, a key could fill the disk with them.
const KEPT_PER_KEY = 10_000
const CLOCK_SKEW_MS = MINUTE_MS

/** @returns the token of a new session; undefined if the sign-in link has ended or was used before */
export async function signInByLink(db: Db, token: string, now: number) {
  const found = await findViewer(db, 'sign_in_link', token, now)
  if (!found) return undefined
  const session = newToken(found.kind)
  const expires_at = now + LIFETIME_MS[found.kind].session
  // If several requests use the link at once, the first one changes the hash, and the others no longer find it.
  const used = await db
    .updateTable('dashboard_tokens')
    .set({ hash: hashToken(session), kind: 'session', created_at: now, expires_at })
    .where('hash', '=', hashToken(token))
    .where('kind', '=', 'sign_in_link')
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return used && session
}

export async function createToken(
  db: Db,
  kind: TokenKind,
  now: number,
  member?: Partial<Insertable<Schema['dashboard_tokens']>>,
): Promise<string> {
  await deleteOldTokens(db, now)
  const viewer = member ? 'member' : 'administrator'
  const token = newToken(viewer)
  const expires_at = now + LIFETIME_MS[viewer][kind]
  await db
    .insertInto('dashboard_tokens')
    .values({ ...member, id: uuid(), hash: hashToken(token), kind, created_at: now, expires_at })
    .execute()
  return token
}

interface NewMember {
  api_key_id: string
  person_id: string
  person_name: string
  role: DashboardRole
  workspace: string
  allowed_hosts: string | null
}

/** Creates a sign-in link for a person of a workspace. The person's sessions with this key get the role, too. */
export const createMemberLink = defineWrite(async function createMemberLink(
  transaction,
  member: NewMember,
  now: number,
) {
  const { api_key_id: apiKeyId, person_id } = member
  const tokens = updateTokens(transaction, now, member).where('api_key_id', '=', apiKeyId)
  await tokens.where('person_id', '=', person_id).execute()
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
  const token = await createToken(transaction, 'sign_in_link', now, member)
  return { token, expiresAt: now + LIFETIME_MS.member.sign_in_link }
})

export async function deleteOldTokens(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('dashboard_tokens')
    .where('created_at', '<=', now - KEPT_DAYS * DAY_MS)
    .execute()
}

/** Who is signed in: the administrator, or a member, who can see and change only what the API key of the link can. */
export type Viewer = NonNullable<Awaited<ReturnType<typeof findViewer>>>

const ADMINISTRATOR = {
  kind: 'administrator',
  reach: 'all',
  creator: DASHBOARD,
  ownerId: undefined,
  domainIds: undefined,
  hostRules: [],
} as const

/** @returns undefined if the token has ended, or its key is revoked, has expired, or can't sign people in */
export async function findViewer(db: Db, kind: TokenKind, token: string, now: number) {
  const session = await db
    .selectFrom('dashboard_tokens')
    .selectAll()
    .where((is) => is.and({ hash: hashToken(token), kind }))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    // If the clock is set back, a session seems to start in the future, and would last longer.
    .where('created_at', '<=', now + CLOCK_SKEW_MS)
    .executeTakeFirst()
  if (!session) return undefined
  const { id: sessionId, api_key_id: apiKeyId, role } = session
  if (apiKeyId === null) return { ...ADMINISTRATOR, sessionId }
  const keys = selectKeys(db).where('api_keys.id', '=', apiKeyId).where(isValidKey(now))
  const key = await keys.executeTakeFirst()
  if (!key || role === null) return undefined
  const access = toAccess(key)
  if (!access.scopes.has(SIGN_IN_SCOPE)) return undefined
  const person = { id: session.person_id ?? '', name: session.person_name ?? '' }
  const workspace = session.workspace ?? ''
  const hosts = parseList(session.allowed_hosts)
  return {
    ...access,
    kind: 'member' as const,
    sessionId,
    endsAt: Math.min(session.expires_at, key.expires_at ?? Infinity),
    ownerName: key.owner_name,
    reach: { ownerId: access.ownerId, domainIds: access.domainIds },
    creator: { made_by: apiKeyId, person_id: person.id, person_name: person.name },
    person,
    // An admin sees all data of the owner. If the key has been limited since it created the sign-in link, the person
    // counts as an editor.
    role: role === 'admin' && !isUnlimited(access) ? 'editor' : role,
    workspace,
    hostRules: [...access.hostRules, { holder: 'workspace' as const, name: workspace, hosts }],
  }
}

function updateTokens(db: Db, now: number, change: Updateable<Schema['dashboard_tokens']>) {
  return db
    .updateTable('dashboard_tokens')
    .set(change)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
}

export function endTokens(db: Db, now: number) {
  return updateTokens(db, now, { ended_at: now })
}

export async function endSession(db: Db, token: string, now: number): Promise<void> {
  await endTokens(db, now)
    .where('hash', '=', hashToken(token))
    .where('kind', '=', 'session')
    .execute()
}

export async function endMemberSessions(
  db: Db,
  filter: { apiKeyId: string; personId?: string | undefined; role?: DashboardRole | undefined },
  now: number,
): Promise<void> {
  await endTokens(db, now)
    .where('api_key_id', '=', filter.apiKeyId)
    .$if(filter.personId !== undefined, (query) =>
      query.where('person_id', '=', filter.personId ?? ''),
    )
    .$if(filter.role !== undefined, (query) => query.where('role', '=', filter.role ?? null))
    .execute()
}

export function startedBy(ownerId: string) {
  return sql<boolean>`api_key_id in (select id from api_keys where owner_id = ${ownerId})`
}

const MEMBER_PREFIX = 'm.'

function newToken(viewer: keyof typeof LIFETIME_MS): string {
  const token = randomBytes(32).toString('base64url')
  return viewer === 'member' ? MEMBER_PREFIX + token : token
}

/**
 * A fast hash is enough, because a token has 256 random bits. A member's token is hashed twice, so that a process of
 * version 1.0.0 on the same database doesn't find it: that version would take the member for the administrator.
 */
export function hashToken(token: string): string {
  const hash = createHash('sha256').update(token).digest('hex')
  return token.startsWith(MEMBER_PREFIX) ? createHash('sha256').update(hash).digest('hex') : hash
}
