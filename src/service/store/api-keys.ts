import { sql, type Insertable, type Updateable } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Db, Schema } from '../../database/schema.ts'
import { jsonRows, number, text } from '../../database/dialects.ts'
import { preparedRow } from '../../database/prepared.ts'
import { defineWrite } from '../../database/write.ts'
import { DAY_MS } from '../../timing/days.ts'
import { apiKeyPrefix, generateApiKey, hashApiKey } from './api-key.ts'
import { isValidKey, parseList, selectKeys, SIGN_IN_SCOPE, toListColumn } from './scopes.ts'
import { endMemberSessions } from './sessions.ts'
import { markFormUsed } from './repeated-requests.ts'

export const KEYS_AT_ONCE = 100

const MINUTE_MS = 60_000

export interface NewApiKey {
  ownerId: string
  name: string
  description?: string | undefined
  permissions: Schema['api_keys']['permissions']
  scopes?: readonly string[]
  domainIds?: readonly string[] | undefined
  destinations?: readonly string[] | undefined
  expiresAt?: number | undefined
  /** 0 means no limit; undefined means the default of the service. */
  requestsPerMinute?: number | undefined
}

export async function addApiKey(db: Db, newKey: NewApiKey, now: number) {
  return insertKey(db, now, {
    owner_id: newKey.ownerId,
    name: newKey.name,
    description: newKey.description ?? null,
    permissions: newKey.permissions,
    scopes: JSON.stringify(newKey.scopes ?? []),
    domain_ids: newKey.domainIds ? JSON.stringify(newKey.domainIds) : null,
    expires_at: newKey.expiresAt ?? null,
    requests_per_minute: newKey.requestsPerMinute ?? null,
    destinations: toListColumn(newKey.destinations),
  })
}

/** @returns undefined if no valid key has this id */
async function updateKey(db: Db, id: string, change: Updateable<Schema['api_keys']>, now: number) {
  return db
    .updateTable('api_keys')
    .set(change)
    .where('id', '=', id)
    .where(isValidKey(now))
    .returningAll()
    .executeTakeFirst()
}

export async function setKeyDestinations(
  db: Db,
  id: string,
  hosts: readonly string[],
  now: number,
) {
  return updateKey(db, id, { destinations: toListColumn(hosts) }, now)
}

export async function revokeApiKey(db: Db, id: string, now: number) {
  return updateKey(db, id, { revoked_at: now }, now)
}

export const MAX_KEPT_DAYS = 7

/**
 * Replaces a key with a new one that has the same permissions and limits. The old key still works for `keptDays`.
 * @returns undefined if no valid key has this id, or if the form with this token was submitted before
 */
export const rotateApiKey = defineWrite(async function rotateApiKey(
  transaction,
  id: string,
  keptDays: number,
  now: number,
  formToken?: string,
) {
  if (formToken !== undefined && !(await markFormUsed(transaction, formToken, now))) return
  const old = await revokeApiKey(transaction, id, now)
  if (!old) return
  if (keptDays > 0) {
    const expires_at = Math.min(old.expires_at ?? Infinity, now + keptDays * DAY_MS)
    const kept = transaction.updateTable('api_keys').set({ revoked_at: null, expires_at })
    await kept.where('id', '=', id).execute()
  }
  // The new key also gets this minute's requests, so that a rotation doesn't reset the rate limit.
  return insertKey(transaction, now, old)
})

/** @returns false if no valid key has this id */
export async function setSignInAllowed(db: Db, id: string, isAllowed: boolean, now: number) {
  const keys = selectKeys(db).where('api_keys.id', '=', id).where(isValidKey(now))
  const key = await keys.executeTakeFirst()
  if (!key) return false
  const otherScopes = parseList(key.scopes).filter((scope) => scope !== SIGN_IN_SCOPE)
  const scopes = JSON.stringify(isAllowed ? [...otherScopes, SIGN_IN_SCOPE] : otherScopes)
  await db.updateTable('api_keys').set({ scopes }).where('id', '=', id).execute()
  // Without the permission, sessions don't work anyway. But they would work again once the key gets it back.
  if (!isAllowed) await endMemberSessions(db, { apiKeyId: id }, now)
  return true
}

export const addApiKeyOnce = defineWrite(async function addApiKeyOnce(
  transaction,
  newKey: NewApiKey,
  formToken: string,
  now: number,
) {
  const isFirst = await markFormUsed(transaction, formToken, now)
  return isFirst ? addApiKey(transaction, newKey, now) : undefined
})

export const findApiKey = preparedRow((db, hash: string, now: number) =>
  selectKeys(db).where('hash', '=', hash).where(isValidKey(now)),
)

/** @param counts JSON rows of a key's id and its number of requests in the minute, sorted by ID */
export const addRequests = defineWrite(async function addRequests(
  transaction,
  minute: number,
  counts: string,
) {
  await sql`
      update api_keys set counted_minute = ${minute}, last_used_at = ${minute * MINUTE_MS},
        counted_requests = ${number(1)} + case when counted_minute = ${minute} then counted_requests else 0 end
      from ${jsonRows(transaction, counts)} where api_keys.id = ${text(0)}`.execute(transaction)
})

export type ListedKey = NonNullable<Awaited<ReturnType<typeof findListedKey>>>

export async function listApiKeys(
  db: Db,
  ownerId: string | undefined,
  state: 'all' | 'valid' | 'ended',
  now: number,
  page = 1,
) {
  const keys = await selectKeys(db)
    .$if(ownerId !== undefined, (query) => query.where('api_keys.owner_id', '=', ownerId ?? ''))
    .$if(state === 'valid', (query) => query.where(isValidKey(now)))
    .$if(state === 'ended', (query) => query.where(sql<boolean>`not ${isValidKey(now)}`))
    .orderBy('api_keys.id', state === 'ended' ? 'desc' : 'asc')
    .limit(KEYS_AT_ONCE + 1)
    .offset((page - 1) * KEYS_AT_ONCE)
    .execute()
  return { keys: keys.slice(0, KEYS_AT_ONCE), hasMore: keys.length > KEYS_AT_ONCE }
}

export async function findListedKey(db: Db, id: string) {
  return selectKeys(db).where('api_keys.id', '=', id).executeTakeFirst()
}

async function insertKey(
  db: Db,
  now: number,
  row: Omit<
    Insertable<Schema['api_keys']>,
    'id' | 'hash' | 'prefix' | 'created_at' | 'revoked_at' | 'last_used_at'
  >,
): Promise<{ id: string; key: string }> {
  const id = uuid()
  const key = generateApiKey()
  await db
    .insertInto('api_keys')
    .values({
      ...row,
      id,
      hash: hashApiKey(key),
      prefix: apiKeyPrefix(key),
      created_at: now,
      revoked_at: null,
      last_used_at: null,
    })
    .execute()
  return { id, key }
}
