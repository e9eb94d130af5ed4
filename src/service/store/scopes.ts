import { sql, type Selectable } from 'kysely'
import type { Schema } from '../../database/schema.ts'

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

type KeyColumns = Pick<
  Selectable<Schema['api_keys']>,
  'name' | 'permissions' | 'scopes' | 'domain_ids' | 'destinations'
>

/** The hostnames to which the links of a key or of a workspace's members can lead. Without hosts, there is no limit. */
export interface HostRule {
  holder: 'key' | 'workspace'
  name: string
  hosts: readonly string[]
}

const SCOPES_OF_LEVEL: Record<KeyColumns['permissions'], readonly Scope[]> = {
  all: LINK_SCOPES,
  read_only: ['shortlinks:read'],
  restricted: [],
}

export function isValidKey(now: number) {
  return sql<boolean>`(api_keys.revoked_at is null
    and coalesce(api_keys.expires_at > ${now}, ${sql.lit(true)}))`
}

export interface Access {
  scopes: ReadonlySet<string>
  domainIds: readonly string[] | undefined
  hostRules: readonly HostRule[]
}

export function toAccess(key: KeyColumns): Access {
  const { name, permissions, scopes, domain_ids: domainIds, destinations } = key
  return {
    scopes: new Set([...SCOPES_OF_LEVEL[permissions], ...parseList(scopes)]),
    domainIds: domainIds === null ? undefined : parseList(domainIds),
    hostRules: [{ holder: 'key', name, hosts: parseList(destinations) }],
  }
}

export function parseList(column: string | null): string[] {
  return column === null ? [] : (JSON.parse(column) as string[])
}

export function isUnlimited({ scopes, domainIds }: Access): boolean {
  return domainIds === undefined && LINK_SCOPES.every((scope) => scopes.has(scope))
}
