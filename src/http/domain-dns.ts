import dns from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP, isIPv6 } from 'node:net'
import { isLoopbackHostname, isPrivateAddress, withoutBrackets } from './public-hostname.ts'

/* What DNS says about a hostname, as seen from this machine. */

/** Whether a domain record's hostname leads to the link service. */
export interface DomainDns {
  /** `unknown`: DNS can't be asked, or there is nothing to compare with. */
  status: 'ok' | 'missing' | 'elsewhere' | 'unknown'
  /** Says what was found and, if the hostname may not work, the exact DNS record to create. */
  message: string
}

/** A hostname's addresses (none if DNS has none), or why DNS can't be asked. */
export type Addresses = readonly string[] | { code: string }

/** How long all questions about a hostname may take together, in milliseconds. */
const LIMIT_MS = 3_000

/**
 * Asks DNS until the time is up. It doesn't use `dns.lookup`: /etc/hosts often gives a machine's own name a loopback
 * address. Besides, each lookup keeps a thread busy for as long as a slow DNS server takes, and calls to Slack need
 * these threads, too.
 */
function openDns(signal?: AbortSignal) {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  resolver.setServers(dns.getServers())
  const limit = AbortSignal.timeout(LIMIT_MS)
  const ended = signal ? AbortSignal.any([signal, limit]) : limit
  ended.addEventListener('abort', () => resolver.cancel())

  async function ask<T>(query: () => Promise<T[]>): Promise<T[] | { code: string }> {
    try {
      ended.throwIfAborted()
      return await query()
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOTFOUND' || code === 'ENODATA') return []
      return { code: ended.aborted ? 'no answer in time' : String(code) }
    }
  }

  async function addresses(hostname: string): Promise<Addresses> {
    const host = withoutBrackets(hostname)
    if (isIP(host)) return [host]
    if (isLoopbackHostname(host)) return ['127.0.0.1']
    const answers = await Promise.all([
      ask(() => resolver.resolve4(host)),
      ask(() => resolver.resolve6(host)),
    ])
    const found = answers.flatMap((answer) => ('code' in answer ? [] : answer))
    return found.length > 0 ? found : (answers.find((answer) => 'code' in answer) ?? [])
  }

  /** The name that a CNAME record leads to. */
  async function cname(host: string): Promise<string | undefined> {
    const found = await ask(() => resolver.resolveCname(host))
    return 'code' in found ? undefined : found[0]?.toLowerCase()
  }

  /** The start of a zone can't have a CNAME record. */
  async function startsZone(host: string): Promise<boolean> {
    const found = await ask(async () => [await resolver.resolveSoa(host)])
    return host.split('.').length === 2 || !('code' in found || found.length === 0)
  }

  return { addresses, cname, startsZone }
}

/**
 * Looks up a hostname within 3 s. It never rejects.
 *
 * @param hostname as WHATWG URLs write it
 */
export function lookUpAddresses(hostname: string, signal?: AbortSignal): Promise<Addresses> {
  return openDns(signal).addresses(hostname)
}

/** A sentence about the result of `lookUpAddresses`. */
export function describeAddresses(hostname: string, found: Addresses): string {
  const host = withoutBrackets(hostname)
  if ('code' in found) return `The address of ${host} can’t be looked up (${found.code}).`
  if (found.length === 0) return `DNS has no address for ${host}.`
  const shown = found.length > 4 ? [...found.slice(0, 3), `${found.length - 3} more`] : found
  const list = new Intl.ListFormat('en').format(shown)
  const reach = ', which only this machine or its network can reach'
  return `${host} leads to ${list}${found.every(isPrivateAddress) ? reach : ''}.`
}

/**
 * Compares the addresses of a domain record's hostname with those of the link service, within 3 s. It never rejects.
 *
 * @param hostname as WHATWG URLs write it (other scripts as `xn--…`)
 * @param target the hostname of SERVICE_PUBLIC_URL
 */
export async function checkDomainDns(
  hostname: string,
  target: string,
  signal?: AbortSignal,
): Promise<DomainDns> {
  if (isLoopbackHostname(target)) {
    const message = 'DNS was not checked, because SERVICE_PUBLIC_URL leads to this machine only.'
    return { status: 'unknown', message }
  }
  const asked = openDns(signal)
  const [found, wanted, cname] = await Promise.all([
    asked.addresses(hostname),
    asked.addresses(target),
    asked.cname(hostname),
  ])
  const message = describeAddresses(hostname, found)
  if ('code' in found) return { status: 'unknown', message }
  // A CDN may answer each question with other addresses.
  const isSame =
    cname === target || ('length' in wanted && found.every((one) => wanted.includes(one)))
  if (found.length > 0 && isSame) return { status: 'ok', message }

  const both = `${message} ${describeAddresses(target, wanted)}`
  const [address] = 'code' in wanted ? [] : wanted
  if (address === undefined) return { status: 'unknown', message: both }
  const isName = isIP(withoutBrackets(target)) === 0
  const isAlias = isName && (cname !== undefined || !(await asked.startsZone(hostname)))
  const type = isAlias ? 'a CNAME' : isIPv6(address) ? 'an AAAA' : 'an A'
  const record = `${type} record for ${hostname} with the value ${isAlias ? target : address}`
  if (found.length === 0) return { status: 'missing', message: `${message} Create ${record}.` }
  return {
    status: 'elsewhere',
    message: `${both} If a proxy at ${hostname} forwards requests to Backhalf, leave it as it is. Otherwise, replace its records with ${record}.`,
  }
}
