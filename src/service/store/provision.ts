import type { Db } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import { BUILT_IN_HOSTNAME } from './addresses.ts'
import { addApiKey } from './api-keys.ts'
import type { ServiceContext } from './context.ts'
import { BUILT_IN_DOMAIN } from './domains.ts'
import { addOwner } from './owners.ts'
import { EXTRA_SCOPES } from './scopes.ts'

const KEY_NAME = 'Backhalf app (automatic key)'

// Younger keys aren't revoked, because another process might have created one for the same workspace just now.
const RACE_MS = 60_000

export interface ExternalOrganization {
  id: string
  name: string
}

export interface ProvisionedKey {
  apiKey: string
  domains: { name: string; domain_name: string }[]
}

/** Creates an organization and a key for the app. An earlier key is revoked: the app has lost it (spec §5.4). */
export async function provision(
  { write, addresses, now }: ServiceContext,
  organization: ExternalOrganization,
  maxLinks: number | null,
): Promise<ProvisionedKey> {
  const { key: apiKey } = await write(addProvisioned(organization, maxLinks, now()))
  const domain = { name: BUILT_IN_DOMAIN, domain_name: addresses.domainName(BUILT_IN_HOSTNAME) }
  return { apiKey, domains: [domain] }
}

export const addProvisioned = defineWrite(async function addProvisioned(
  transaction,
  { id, name }: ExternalOrganization,
  maxLinks: number | null,
  now: number,
) {
  const organization = { kind: 'organization', name, external_id: id, created_at: now } as const
  const { id: ownerId } = await addOwner(transaction, { ...organization, max_links: maxLinks })
  const earlier = revokeProvisioned(transaction, id, now)
  await earlier.where('created_at', '<', now - RACE_MS).execute()
  const key = { ownerId, name: KEY_NAME, permissions: 'all', scopes: EXTRA_SCOPES } as const
  // The key serves everyone in a workspace, so its requests are not limited.
  return addApiKey(transaction, { ...key, requestsPerMinute: 0 }, now)
})

export function revokeProvisioned(db: Db, organizationId: string, now: number) {
  return db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('name', '=', KEY_NAME)
    .where('owner_id', 'in', (query) =>
      query.selectFrom('owners').select('id').where('external_id', '=', organizationId),
    )
    .where('revoked_at', 'is', null)
}
