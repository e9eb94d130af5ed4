import { defineWrite } from '../../database/write.ts'
import { BUILT_IN_HOSTNAME } from './addresses.ts'
import { addApiKey, revokeKeysNamed } from './api-keys.ts'
import type { ServiceContext } from './context.ts'
import { BUILT_IN_DOMAIN } from './domains.ts'
import { addOwner, findExternalOwner } from './owners.ts'
import { EXTRA_SCOPES } from './scopes.ts'

const KEY_NAME = 'Backhalf app (automatic key)'

/** A younger key might have just been created by another process. */
const RACE_MS = 60_000

export interface ExternalOrganization {
  id: string
  name: string
}

/**
 * Creates an organization and an API key that can use the built-in domain record. If the organization exists, it only
 * gets a new key. Asking for a new key means that the old one was lost (spec §5.4), so earlier keys are revoked, except
 * those of the last minute: two processes might be asking at the same time.
 */
export async function provision(
  { write, addresses, now }: ServiceContext,
  organization: ExternalOrganization,
  maxLinks: number | null,
) {
  const { key: apiKey } = await write(addProvisioned(organization, maxLinks, now()))
  const domain = { name: BUILT_IN_DOMAIN, domain_name: addresses.domainName(BUILT_IN_HOSTNAME) }
  return { apiKey, domains: [domain] }
}

export const addProvisioned = defineWrite(
  import.meta.url,
  'addProvisioned',
  async (transaction, { id, name }: ExternalOrganization, maxLinks: number | null, now: number) => {
    const owner = await addOwner(transaction, {
      kind: 'organization',
      name,
      externalId: id,
      now,
      maxLinks,
    })
    const key = { ownerId: owner.id, name: KEY_NAME }
    await revokeKeysNamed(transaction, { ...key, before: now - RACE_MS, now })
    // One key serves everyone in a workspace, so its requests are not limited.
    return addApiKey(
      transaction,
      { ...key, permissions: 'all', scopes: EXTRA_SCOPES, requestsPerMinute: 0 },
      now,
    )
  },
)

export const withdraw = defineWrite(
  import.meta.url,
  'withdraw',
  async (transaction, organizationId: string, now: number) => {
    const owner = await findExternalOwner(transaction, organizationId)
    if (!owner) return
    const key = { ownerId: owner.id, name: KEY_NAME }
    await revokeKeysNamed(transaction, { ...key, before: Infinity, now })
  },
)
