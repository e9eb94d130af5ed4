import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { normalizeHostname } from './addresses.ts'

/** The hostnames, addresses and networks of a blocklist. */
export interface BlockedHosts {
  /** The number of entries. */
  size: number
  /** Whether a URL's hostname, or a domain that it belongs to, or its address is blocked. */
  has(hostname: string): boolean
}

/**
 * Parses a text with one hostname, address or network a line, and comments after `#`.
 *
 * @throws an Error that names the first invalid line
 */
export function parseBlockedHosts(text: string): BlockedHosts {
  const hostnames = new Set<string>()
  const addresses = new BlockList()
  let size = 0
  for (const [at, line] of text.split('\n').entries()) {
    const entry = line.replace(/#.*/, '').trim()
    if (!entry) continue
    if (!addAddress(addresses, entry)) {
      // In the form that URLs use. A wildcard would match nothing, so it is an error.
      const hostname = normalizeHostname(domainToASCII(entry))
      if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(hostname) || /[/:@]/.test(entry)) {
        throw new Error(
          `line ${at + 1} of the blocklist (BLOCKLIST_PATH) is not a hostname, an address or a network`,
        )
      }
      hostnames.add(hostname)
    }
    size++
  }
  return {
    size,
    has(hostname) {
      if (size === 0) return false
      const name = normalizeHostname(hostname)
      if (/^\[|\d$/.test(name) && addresses.rules.length > 0 && hasAddress(addresses, name)) {
        return true
      }
      const labels = name.split('.')
      return labels.some((_, at) => hostnames.has(labels.slice(at).join('.')))
    },
  }
}

/** Adds an entry such as `192.0.2.1`, `192.0.2.0/24` or `2001:db8::1`. Returns false if the entry is something else. */
function addAddress(addresses: BlockList, entry: string): boolean {
  const [, host = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const address = toAddress(host)
  if (address === undefined) return false
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  if (length === undefined) {
    addresses.addAddress(address, family)
    return true
  }
  if (Number(length) > (family === 'ipv4' ? 32 : 128)) return false
  addresses.addSubnet(address, Number(length), family)
  return true
}

function hasAddress(addresses: BlockList, hostname: string): boolean {
  const address = toAddress(hostname)
  if (address === undefined) return false
  // This also finds the IPv4 address in ::ffff:192.0.2.1.
  return addresses.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

/**
 * The address that a hostname is, in any form that URLs accept: `3221225985`, `0xc0.0.2.1` and
 * `0300.0.2.1` are 192.0.2.1. Brackets and a zone (`%eth0`) of an IPv6 address are removed.
 */
function toAddress(hostname: string): string | undefined {
  if (hostname.includes(':')) {
    const address = hostname.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
    return isIPv6(address) ? address : undefined
  }
  const address = domainToASCII(hostname)
  return isIPv4(address) ? address : undefined
}
