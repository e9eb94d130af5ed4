import { Resolver } from 'node:dns/promises'
import { isIP, isIPv6 } from 'node:net'
import { isLoopbackHostname, isPrivateAddress, withoutBrackets } from './public-hostname.ts'

interface DomainDns {
  status: 'ok' | 'missing' | 'elsewhere' | 'unknown'
  message: string
}

export type Found = readonly string[] | { code: string }

const TIMEOUT_MS = 3_000

/** Returns functions that look up names in DNS. After 3 s, all of them give up. */
export function openDns() {
  // `dns.lookup` would also read /etc/hosts, which often gives a machine's own name a loopback address, and would
  // occupy a thread until a slow DNS server responds. Calls to Slack need these threads.
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  const ended = AbortSignal.timeout(TIMEOUT_MS)
  ended.addEventListener('abort', () => resolver.cancel())

  async function ask(host: string, type: 'A' | 'AAAA' | 'CNAME' | 'NS'): Promise<Found> {
    try {
      ended.throwIfAborted()
      return await resolver.resolve(host, type)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOTFOUND' || code === 'ENODATA') return []
      return { code: ended.aborted ? 'no response in time' : String(code) }
    }
  }

  async function addresses(hostname: string): Promise<Found> {
    const host = withoutBrackets(hostname)
    if (isIP(host)) return [host]
    if (isLoopbackHostname(host)) return ['127.0.0.1']
    const responses = await Promise.all([ask(host, 'A'), ask(host, 'AAAA')])
    const found = responses.flatMap(listed)
    return found.length > 0 ? found : (responses.find((response) => 'code' in response) ?? [])
  }

  return { ask, addresses }
}

const listed = (found: Found): readonly string[] => ('code' in found ? [] : found)

export function describeAddresses(hostname: string, found: Found): string {
  const host = withoutBrackets(hostname)
  if ('code' in found) return `The address of ${host} can’t be looked up (${found.code}).`
  if (found.length === 0) return `DNS has no address for ${host}.`
  const shown = found.length > 4 ? [...found.slice(0, 3), `${found.length - 3} more`] : found
  const list = new Intl.ListFormat('en').format(shown)
  const reach = ', which only this machine or its network can reach'
  return `${host} leads to ${list}${found.every(isPrivateAddress) ? reach : ''}.`
}

/**
 * Checks whether DNS leads a domain record's hostname to the link service, and says which DNS record to create if it
 * doesn't. Takes at most 3 s. If DNS doesn't respond, the status is `unknown`.
 * @param hostname as in `URL.hostname`, for example `xn--mller-kva.example`
 */
export async function checkDomainDns(hostname: string, target: string): Promise<DomainDns> {
  const unchecked = 'DNS was not checked, because SERVICE_PUBLIC_URL leads to this machine only.'
  if (isLoopbackHostname(target)) return { status: 'unknown', message: unchecked }
  const { ask, addresses } = openDns()
  const [found, targetFound, cname] = await Promise.all([
    addresses(hostname),
    addresses(target),
    ask(hostname, 'CNAME'),
  ])
  const wanted = listed(targetFound)
  const alias = listed(cname)[0]?.toLowerCase()
  const message = describeAddresses(hostname, found)
  if ('code' in found) return { status: 'unknown', message }
  // A CDN might respond to each query with different addresses.
  const isSame = alias === target || found.every((address) => wanted.includes(address))
  if (found.length > 0 && isSame) return { status: 'ok', message }

  const both = `${message} ${describeAddresses(target, targetFound)}`
  const [address] = wanted
  if (address === undefined) return { status: 'unknown', message: both }
  // The name at the top of a zone, such as example.com, has NS records and can't have a CNAME record.
  const startsZone = async () =>
    hostname.split('.').length === 2 || listed(await ask(hostname, 'NS')).length > 0
  const isName = isIP(withoutBrackets(target)) === 0
  const isAlias = isName && (alias !== undefined || !(await startsZone()))
  const type = isAlias ? 'a CNAME' : isIPv6(address) ? 'an AAAA' : 'an A'
  const record = `${type} record for ${hostname} with the value ${isAlias ? target : address}`
  if (found.length === 0) return { status: 'missing', message: `${message} Create ${record}.` }
  const advice = `If a proxy at ${hostname} forwards requests to Backhalf, leave its DNS records as they are. Otherwise, replace them with ${record}.`
  return { status: 'elsewhere', message: `${both} ${advice}` }
}
