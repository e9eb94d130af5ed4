import type { Caller } from '../api/authentication.ts'
import { SCOPES } from '../store/key-rules.ts'
import type { Owner } from '../store/owners.ts'

/** The error of a domain record that the chosen owner can't use. */
export const UNUSABLE_DOMAIN = 'This owner can’t use this domain record, or it doesn’t exist.'

/** The administrator, who makes links for any owner. Without an owner, only shared domain records can be used. */
export function dashboardCaller(owner: Owner | undefined): Caller {
  return {
    apiKeyId: 'dashboard',
    ownerId: owner?.id ?? '',
    scopes: new Set(SCOPES),
    domainIds: undefined,
    maxLinks: owner?.max_links ?? null,
    requestsPerMinute: null,
  }
}
