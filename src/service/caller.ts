import type { Kysely } from 'kysely'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { API_KEY_HEADER } from '../contract/endpoints.ts'
import type { Schema } from '../database/schema.ts'
import { isApiKey } from './store/api-key.ts'
import { ServiceError } from './service-error.ts'
import { findApiKey, type ApiKeyRow, type ValidApiKey } from './store/api-keys.ts'

/** What a restricted key can be allowed. */
export const SCOPES = ['shortlinks:read', 'shortlinks:create'] as const

export type Scope = (typeof SCOPES)[number]

/** Who calls, and what their key allows. */
export interface Caller {
  apiKeyId: string
  ownerId: string
  scopes: ReadonlySet<string>
  /** The domain records that the key is limited to; undefined: all that its owner reaches. */
  domainIds: readonly string[] | undefined
  /** Links that its owner may have at most; null: any number. */
  maxLinks: number | null
  /** Null: the service's usual limit. */
  requestsPerMinute: number | null
}

const texts = z.array(z.string())

/**
 * The caller that a request's `X-API-Key` stands for (spec §5).
 *
 * @param now milliseconds since 1970
 * @throws ServiceError AUTHENTICATION_REQUIRED without a valid key, in the same words whether it
 *   is missing, mistyped, unknown, revoked or expired
 */
export async function authenticate(
  db: Kysely<Schema>,
  headers: IncomingHttpHeaders,
  now: number,
): Promise<Caller> {
  const key = headers[API_KEY_HEADER]
  const row = typeof key === 'string' && isApiKey(key) ? await findApiKey(db, key, now) : undefined
  if (row) return callerOf(row)
  throw new ServiceError('AUTHENTICATION_REQUIRED', 'Send a valid API key in the X-API-Key header.')
}

/** @throws ServiceError PERMISSION_DENIED where the caller's key does not allow it */
export function requireScope({ scopes }: Caller, needed: Scope): void {
  if (scopes.has(needed)) return
  throw new ServiceError(
    'PERMISSION_DENIED',
    `This API key does not allow ${needed}. Use one with more permissions.`,
  )
}

function callerOf(row: ValidApiKey): Caller {
  return {
    apiKeyId: row.id,
    ownerId: row.owner_id,
    scopes: scopesOf(row),
    maxLinks: row.max_links,
    requestsPerMinute: row.requests_per_minute,
    domainIds: row.domain_ids === null ? undefined : texts.parse(JSON.parse(row.domain_ids)),
  }
}

/** The permission levels of spec §5 in scopes. */
function scopesOf({ permissions, scopes }: ApiKeyRow): ReadonlySet<string> {
  switch (permissions) {
    case 'all':
      return new Set(SCOPES)
    case 'read_only':
      return new Set<Scope>(['shortlinks:read'])
    case 'restricted':
      return new Set(texts.parse(JSON.parse(scopes)))
  }
}
