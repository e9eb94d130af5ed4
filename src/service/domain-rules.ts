import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { bareHostname, type Addresses } from './addresses.ts'

/** An id of a domain record; Slack's menus hold no longer values. */
const ID = /^[A-Za-z0-9._-]{1,75}$/

/** What is wrong with a new domain record, by what was asked for. */
export interface DomainFaults {
  hostname?: string
  id?: string
}

/**
 * Checks a new domain record.
 *
 * @param wish.id the hostname counts where it is left out
 */
export function checkDomain(
  addresses: Addresses,
  wish: { hostname: string; id?: string | undefined },
): { domain: { id: string; domain_name: string } } | { faults: DomainFaults } {
  const hostname = bareHostname(domainToASCII(wish.hostname))
  const faults: DomainFaults = {}
  if (!isPublicHostname(hostname)) {
    faults.hostname = `“${wish.hostname}” is no hostname. Use one like go.example.com, without https:// and without a path.`
  } else if (addresses.isBuiltIn(hostname)) {
    faults.hostname = `${hostname} is the service’s own address (SERVICE_PUBLIC_URL): the built-in record “default” stands for it.`
  }
  const id = wish.id ?? hostname
  if (wish.id !== undefined && !ID.test(id)) {
    faults.id = 'An ID is letters, digits, “.”, “-” and “_”, 75 at most.'
  } else if (!faults.hostname && !ID.test(id)) {
    faults.id = 'This hostname is too long to be an ID as well. Choose an ID.'
  }
  return Object.keys(faults).length > 0 ? { faults } : { domain: { id, domain_name: hostname } }
}

function isPublicHostname(ascii: string): boolean {
  return (
    /^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/.test(ascii) && !isIP(ascii) && ascii.length <= 253
  )
}
