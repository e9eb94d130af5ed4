import type { Kysely } from 'kysely'
import type { CreateRequest } from '../contract/create-request.ts'
import type { Schema } from '../database/schema.ts'
import { bareHostname, type Addresses } from './addresses.ts'
import type { Blocklist } from './blocklist.ts'
import type { Caller } from './caller.ts'
import { checkCreateForm } from './create-rules.ts'
import type { Form } from './api/form.ts'
import { findReachableDomain, hasDomainName, type DomainRow } from './store/domains.ts'

/** A create request that keeps every rule, ready to be tried. */
export interface CreateWish {
  ownerId: string
  /** Links that the owner may have at most; null: any number. */
  maxLinks: number | null
  /** Whether the caller may see links, and so the one that is there already. */
  mayRead: boolean
  domain: DomainRow
  request: CreateRequest
}

/**
 * Reads a create form, and looks up what it names.
 *
 * @throws ServiceError VALIDATION_ERROR that names every field at fault. A domain record that the
 *   caller can't reach is refused in the same words as one that does not exist
 */
export async function parseCreateWish(
  { db, addresses, blocklist }: { db: Kysely<Schema>; addresses: Addresses; blocklist: Blocklist },
  caller: Caller,
  form: Form,
): Promise<CreateWish> {
  const { values, faults } = form
  const request = checkCreateForm(form)
  const { domain: domainId, destination_url: destination } = values
  let domain: DomainRow | undefined
  if (typeof domainId === 'string' && !faults.has('domain')) {
    const allowed = !caller.domainIds || caller.domainIds.includes(domainId)
    domain = allowed ? await findReachableDomain(db, domainId, caller.ownerId) : undefined
    if (!domain) faults.add('domain', 'There is no domain record of this ID for your key.')
  }
  if (typeof destination === 'string' && !faults.has('destination_url')) {
    const url = new URL(destination)
    if (addresses.leadsHere(url) || (await hasDomainName(db, bareHostname(url.hostname)))) {
      faults.add('destination_url', 'This leads to a short domain of this service itself.')
    } else if (blocklist.blocks(url.hostname)) {
      faults.add('destination_url', 'Links to this address are blocked on this service.')
    }
  }
  faults.throwIfAny()
  if (!request || !domain) throw new Error('a form without faults has a request and a domain')
  const { ownerId, maxLinks, scopes } = caller
  return { ownerId, maxLinks, mayRead: scopes.has('shortlinks:read'), domain, request }
}
