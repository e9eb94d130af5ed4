import { sql, type Selectable } from 'kysely'
import { z } from 'zod'
import type { Schema } from '../../database/schema.ts'

/** What the level *all* includes. */
export const LINK_SCOPES = [
  'shortlinks:read',
  'shortlinks:create',
  'shortlinks:update',
  'shortlinks:delete',
] as const

/** Lets the holder of a key sign people in to the dashboard. No level includes it. */
export const SIGN_IN_SCOPE = 'dashboard:sign_in'

/** Lets the holder of a key erase people from the owner's links. No level includes it. */
export const ERASE_SCOPE = 'people:erase'

/** A key of any level can have these as well. */
export const EXTRA_SCOPES = [SIGN_IN_SCOPE, ERASE_SCOPE] as const

/** What a key can be allowed to do. */
export const SCOPES = [...LINK_SCOPES, ...EXTRA_SCOPES] as const

export type Scope = (typeof SCOPES)[number]

type KeyColumns = Pick<
  Selectable<Schema['api_keys']>,
  'name' | 'permissions' | 'scopes' | 'domain_ids' | 'destinations'
>

/** The hostnames to which links may lead that are made with a key, or by a person from a workspace. Empty: any. */
export interface HostRule {
  of: 'key' | 'workspace'
  /** Of the key or the workspace. */
  name: string
  hosts: readonly string[]
}

/** The scopes that each permission level (spec §5) includes. */
const SCOPES_OF_LEVEL: Record<KeyColumns['permissions'], readonly Scope[]> = {
  all: LINK_SCOPES,
  read_only: ['shortlinks:read'],
  restricted: [],
}

/** SQL: whether a key is neither revoked nor expired. */
export function isValidKey(now: number) {
  return sql<boolean>`(api_keys.revoked_at is null
    and coalesce(api_keys.expires_at > ${now}, ${sql.lit(true)}))`
}

const stringArray = z.array(z.string())

/** What a key allows. `domainIds`: the domain records that it is limited to; undefined: all that its owner may use. */
export function accessOf(key: KeyColumns) {
  const { name, permissions, scopes, domain_ids: domainIds, destinations } = key
  const more = stringArray.parse(JSON.parse(scopes))
  const hosts = destinations === null ? [] : stringArray.parse(JSON.parse(destinations))
  return {
    scopes: new Set<string>([...SCOPES_OF_LEVEL[permissions], ...more]),
    domainIds: domainIds === null ? undefined : stringArray.parse(JSON.parse(domainIds)),
    hostRules: [{ of: 'key', name, hosts }] satisfies HostRule[] as HostRule[],
  }
}

/** Whether a key allows everything with all links of its owner. Only such a key has to do with the owner as a whole. */
export function isUnlimited({ scopes, domainIds }: ReturnType<typeof accessOf>): boolean {
  return domainIds === undefined && LINK_SCOPES.every((scope) => scopes.has(scope))
}
