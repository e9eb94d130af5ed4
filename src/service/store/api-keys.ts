import type { Kysely, Selectable } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { ApiKeysTable, OwnersTable, Schema } from '../../database/schema.ts'
import { apiKeyPrefix, generateApiKey, hashApiKey } from './api-key.ts'

export type ApiKeyRow = Selectable<ApiKeysTable>

/** A key to be created (spec §2.3). Its type depends on the kind of its owner. */
export interface NewApiKey {
  ownerId: string
  name: string
  description?: string | undefined
  permissions: ApiKeyRow['permissions']
  /** What a restricted key is allowed to do. */
  scopes?: readonly string[]
  /** Limits a restricted key to these domain records. */
  domainIds?: readonly string[] | undefined
  /** In milliseconds since 1970. */
  expiresAt?: number | undefined
  /** 0: no limit; undefined: the service's default. */
  requestsPerMinute?: number | undefined
}

/** Adds a key. Only a hash of `key` is stored, so it can't be shown again. */
export async function addApiKey(
  db: Kysely<Schema>,
  newKey: NewApiKey,
  now: number,
): Promise<{ id: string; key: string }> {
  return insertKey(db, now, {
    owner_id: newKey.ownerId,
    name: newKey.name,
    description: newKey.description ?? null,
    permissions: newKey.permissions,
    scopes: JSON.stringify(newKey.scopes ?? []),
    domain_ids: newKey.domainIds ? JSON.stringify(newKey.domainIds) : null,
    expires_at: newKey.expiresAt ?? null,
    requests_per_minute: newKey.requestsPerMinute ?? null,
  })
}

/** Revokes a key and creates one like it. Returns undefined if no valid key has this id. */
export async function rotateApiKey(
  db: Kysely<Schema>,
  id: string,
  now: number,
): Promise<{ id: string; key: string } | undefined> {
  return db.transaction().execute(async (transaction) => {
    const old = await revokeApiKey(transaction, id, now)
    if (!old) return undefined
    return insertKey(transaction, now, old)
  })
}

/** Revokes a key. Returns undefined if no valid key has this id. */
export async function revokeApiKey(
  db: Kysely<Schema>,
  id: string,
  now: number,
): Promise<ApiKeyRow | undefined> {
  return db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .returningAll()
    .executeTakeFirst()
}

/** Revokes the keys of an owner that have a name and are older than a time (in ms since 1970). */
export async function revokeKeysNamed(
  db: Kysely<Schema>,
  { ownerId, name, before, now }: { ownerId: string; name: string; before: number; now: number },
): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('owner_id', '=', ownerId)
    .where('name', '=', name)
    .where('created_at', '<', before)
    .where('revoked_at', 'is', null)
    .execute()
}

/** A key, with the limit of its owner. */
export type ValidApiKey = ApiKeyRow & Pick<Selectable<OwnersTable>, 'max_links'>

/** Looks up a key. Returns undefined if it is unknown, revoked or expired. */
export async function findApiKey(
  db: Kysely<Schema>,
  key: string,
  now: number,
): Promise<ValidApiKey | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('owners', 'owners.id', 'api_keys.owner_id')
    .selectAll('api_keys')
    .select('owners.max_links')
    .where('hash', '=', hashApiKey(key))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return row && (row.expires_at === null || now < row.expires_at) ? row : undefined
}

/** Stores when a key was used, unless a later time is stored. */
export async function touchApiKey(db: Kysely<Schema>, id: string, usedAt: number): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: usedAt })
    .where('id', '=', id)
    .where((where) =>
      where.or([where('last_used_at', 'is', null), where('last_used_at', '<', usedAt)]),
    )
    .execute()
}

/** Returns all keys with their owners, oldest first. */
export async function listApiKeys(db: Kysely<Schema>) {
  return db
    .selectFrom('api_keys')
    .innerJoin('owners', 'owners.id', 'api_keys.owner_id')
    .selectAll('api_keys')
    .select(['owners.kind as owner_kind', 'owners.name as owner_name'])
    .orderBy('api_keys.id')
    .execute()
}

async function insertKey(
  db: Kysely<Schema>,
  now: number,
  row: Omit<ApiKeyRow, 'id' | 'hash' | 'prefix' | 'created_at' | 'revoked_at' | 'last_used_at'>,
): Promise<{ id: string; key: string }> {
  const id = uuid()
  const key = generateApiKey()
  await db
    .insertInto('api_keys')
    .values({
      owner_id: row.owner_id,
      name: row.name,
      description: row.description,
      permissions: row.permissions,
      scopes: row.scopes,
      domain_ids: row.domain_ids,
      expires_at: row.expires_at,
      requests_per_minute: row.requests_per_minute,
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
