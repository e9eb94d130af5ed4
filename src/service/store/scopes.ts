import { sql, type Selectable } from 'kysely'
import type { Db, Schema } from '../../database/schema.ts'

export const LINK_SCOPES = [
  'shortlinks:read',
  'shortlinks:create',
  'shortlinks:update',
  'shortlinks:delete',
] as const

export const SIGN_IN_SCOPE = 'dashboard:sign_in'

export const ERASE_SCOPE = 'people:erase'

/** Scopes that no permission level includes, not even `all`. A key gets them in addition to its level. */
export const EXTRA_SCOPES = [SIGN_IN_SCOPE, ERASE_SCOPE] as const

export const SCOPES = [...LINK_SCOPES, ...EXTRA_SCOPES] as const

export type Scope = (typeof SCOPES)[number]

type KeyRow = Selectable<Schema['api_keys']>

/** The hostnames to which the links of a key or of a workspace's members can lead. Without hosts, there is no limit. */
export interface HostRule {
  holder: 'key' | 'workspace'
  name: string
  hosts: readonly string[]
}

const SCOPES_OF_LEVEL: Record<KeyRow['permissions'], readonly Scope[]> = {
  all: LINK_SCOPES,
  read_only: ['shortlinks:read'],
  restricted: [],
}

export function isValidKey(now: number) {
  return sql<boolean>`(api_keys.revoked_at is null
    and coalesce(api_keys.expires_at > ${now}, ${sql.lit(true)}))`
}

export function selectKeys(db: Db) {
  return db
    .selectFrom('api_keys')
    .innerJoin('owners', 'owners.id', 'api_keys.owner_id')
    .selectAll('api_keys')
    .select(['owners.kind as owner_kind', 'owners.name as owner_name', 'owners.max_links'])
}

/** The API key that sent a request, or that signed in the person who sent it, and what it allows. */
export interface Access {
  apiKeyId: string
  ownerId: string
  scopes: ReadonlySet<string>
  domainIds: readonly string[] | undefined
  hostRules: readonly HostRule[]
  /** Null means the default, and 0 means no limit. */
  requestsPerMinute: number | null
  stored: { minute: number; requests: number }
}

export function toAccess(key: KeyRow): Access {
  const { name, permissions, scopes, domain_ids: domainIds, destinations } = key
  return {
    apiKeyId: key.id,
    ownerId: key.owner_id,
    scopes: new Set([...SCOPES_OF_LEVEL[permissions], ...parseList(scopes)]),
    domainIds: domainIds === null ? undefined : parseList(domainIds),
    hostRules: [{ holder: 'key', name, hosts: parseList(destinations) }],
    requestsPerMinute: key.requests_per_minute,
    stored: { minute: key.counted_minute, requests: key.counted_requests },
  }
}

export function toListColumn(list: readonly string[] = []): string | null {
  return list.length > 0 ? JSON.stringify(list) : null
}

export function parseList(column: string | null): string[] {
  return column === null ? [] : (JSON.parse(column) as string[])
}

export function isUnlimited({ scopes, domainIds }: Pick<Access, 'scopes' | 'domainIds'>): boolean {
  return domainIds === undefined && LINK_SCOPES.every((scope) => scopes.has(scope))
}
