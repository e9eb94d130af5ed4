import { domainToASCII } from 'node:url'
import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'
import { isFullHostname } from '../../http/public-hostname.ts'
import { normalizeHostname, type Addresses } from './addresses.ts'

/** The ID of a domain record. Slack's menus can't hold a longer one. */
const ID = /^[A-Za-z0-9._-]{1,75}$/

/** What was entered for a new domain record. */
export interface DomainInput {
  hostname: string
  /** By default, the hostname. */
  id?: string | undefined
}

/** Why the input is invalid, by field. */
export type DomainErrors = Partial<Record<keyof DomainInput, string>>

/** Validates a new domain record. */
export function validateDomain(
  addresses: Addresses,
  input: DomainInput,
): { domain: { id: string; domain_name: string } } | { errors: DomainErrors } {
  const hostname = normalizeHostname(domainToASCII(input.hostname))
  const errors: DomainErrors = {}
  if (!isFullHostname(hostname)) {
    errors.hostname = `“${input.hostname}” is not a hostname. Use one like go.example.com, without https:// and without a path.`
  } else if (addresses.isBuiltIn(hostname)) {
    errors.hostname = `${hostname} is, or was, the service’s own address (SERVICE_PUBLIC_URL). Use the built-in record “default” for it.`
  }
  const id = input.id ?? hostname
  if (input.id !== undefined && !ID.test(id)) {
    errors.id = 'An ID can have at most 75 characters: letters, digits, “.”, “-” and “_”.'
  } else if (!errors.hostname && !ID.test(id)) {
    errors.id = 'This hostname is too long to be the ID as well. Choose an ID.'
  }
  return Object.keys(errors).length > 0 ? { errors } : { domain: { id, domain_name: hostname } }
}

/**
 * Checks that no domain record has the hostname of SERVICE_PUBLIC_URL, which belongs to the built-in
 * record. Back-halves are unique by hostname, so two links could otherwise share one short URL.
 *
 * @throws if a record has it
 */
export async function checkPublicHostname(db: Kysely<Schema>, addresses: Addresses): Promise<void> {
  const { hostname } = new URL(addresses.origin)
  const clash = await db
    .selectFrom('domains')
    .select(['id', 'domain_name'])
    .where('domain_name', '=', normalizeHostname(hostname))
    .executeTakeFirst()
  if (!clash) return
  throw new Error(
    `SERVICE_PUBLIC_URL has the hostname ${clash.domain_name}, which the domain record ${clash.id} already has. Use another hostname. Or, if the record has no links, remove it: npm run admin -- domains remove ${clash.id}`,
  )
}
