import type { Database } from '../database/database.ts'
import { BUILT_IN_HOSTNAME, type Addresses } from './addresses.ts'
import { addApiKey, revokeKeysNamed } from './store/api-keys.ts'
import { BUILT_IN_DOMAIN } from './store/domains.ts'
import { addOwner } from './store/owners.ts'

/** Tells these keys from those that an administrator made for the same organization. */
const KEY_NAME = 'Backhalf app (made by itself)'

/** A key made this short a time ago, in milliseconds, may be another process's, just made. */
const RACE_MS = 60_000

/** What a workspace needs to use the service. */
export interface Provision {
  apiKey: string
  domains: { name: string; domain_name: string }[]
}

/** Somebody whom the service knows by an id of theirs, for example a Slack workspace. */
export interface Newcomer {
  id: string
  name: string
}

/**
 * Makes an organization and its API key, on the built-in domain record. The same newcomer gets no
 * second organization but a new key; as a key is lost when a new one is asked for (spec §5.4), the
 * earlier ones end, except those of the last minute: two processes may be asking at once.
 */
export async function provision(
  { db }: Database,
  addresses: Addresses,
  { id, name }: Newcomer,
  now: number,
): Promise<Provision> {
  return db.transaction().execute(async (transaction) => {
    const owner = await addOwner(transaction, { kind: 'organization', name, externalId: id, now })
    const its = { ownerId: owner.id, name: KEY_NAME }
    await revokeKeysNamed(transaction, { ...its, before: now - RACE_MS, now })
    const { key } = await addApiKey(transaction, { ...its, permissions: 'all' }, now)
    const domain = { name: BUILT_IN_DOMAIN, domain_name: addresses.domainName(BUILT_IN_HOSTNAME) }
    return { apiKey: key, domains: [domain] }
  })
}
