import type { Kysely, Selectable } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { ApiKeysTable, OwnersTable, Schema } from '../../database/schema.ts'
import { apiKeyPrefix, generateApiKey, hashApiKey } from './api-key.ts'

export type ApiKeyRow = Selectable<ApiKeysTable>

/** What is chosen when a key is made (spec §2.3). Its type follows from its owner's kind. */
export interface ApiKeyChoice {
  ownerId: string
  name: string
  description?: string | undefined
  permissions: ApiKeyRow['permissions']
  /** Counts for restricted keys only. */
  scopes?: readonly string[]
  /** Limits a restricted key to these domain records. */
  domainIds?: readonly string[] | undefined
  /** When it ends by itself, in milliseconds since 1970. */
  expiresAt?: number | undefined
  requestsPerMinute?: number | undefined
}

/** Makes a key. `key` is the only time that it is seen. */
export async function addApiKey(
  db: Kysely<Schema>,
  choice: ApiKeyChoice,
  now: number,
): Promise<{ id: string; key: string }> {
  return insertKey(db, now, {
    owner_id: choice.ownerId,
    name: choice.name,
    description: choice.description ?? null,
    permissions: choice.permissions,
    scopes: JSON.stringify(choice.scopes ?? []),
    domain_ids: choice.domainIds ? JSON.stringify(choice.domainIds) : null,
    expires_at: choice.expiresAt ?? null,
    requests_per_minute: choice.requestsPerMinute ?? null,
  })
}

/** A new key in place of one that ends at once; undefined where there is no such valid key. */
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

/** Ends a key at once; undefined where there is no such valid key. */
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

/** Ends an owner's keys of one name that were made before a time, in milliseconds since 1970. */
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

/** A key with what its owner may do. */
export type ValidApiKey = ApiKeyRow & Pick<Selectable<OwnersTable>, 'max_links'>

/** The valid key that a text is. */
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

/** Notes that a key was used; a later time that is there already stays. */
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

/** All keys with their owners, oldest first. */
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
  choice: Omit<ApiKeyRow, 'id' | 'hash' | 'prefix' | 'created_at' | 'revoked_at' | 'last_used_at'>,
): Promise<{ id: string; key: string }> {
  const id = uuid()
  const key = generateApiKey()
  await db
    .insertInto('api_keys')
    .values({
      owner_id: choice.owner_id,
      name: choice.name,
      description: choice.description,
      permissions: choice.permissions,
      scopes: choice.scopes,
      domain_ids: choice.domain_ids,
      expires_at: choice.expires_at,
      requests_per_minute: choice.requests_per_minute,
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
