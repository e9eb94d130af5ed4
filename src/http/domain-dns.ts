import { Resolver } from 'node:dns/promises'
import { isIP, isIPv6 } from 'node:net'
import { isLoopbackHostname, isPrivateAddress, withoutBrackets } from './public-hostname.ts'

export type LookupResult = readonly string[] | { code: string }

const TIMEOUT_MS = 3_000

/** Returns functions that look up names in DNS. Lookups that take longer than 3 s from now on fail. */
export function openDns() {
  // `dns.lookup` would also read /etc/hosts, which often gives a machine's own name a loopback address, and would
  // occupy a thread until a slow DNS server responds. Calls to Slack need these threads.
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  timeout.addEventListener('abort', () => resolver.cancel())

  async function ask(host: string, type: 'A' | 'AAAA' | 'CNAME' | 'NS'): Promise<LookupResult> {
    try {
      timeout.throwIfAborted()
      return await resolver.resolve(host, type)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOTFOUND' || code === 'ENODATA') return []
      return { code: timeout.aborted ? 'no response in time' : String(code) }
    }
  }

  async function addresses(hostname: string): Promise<LookupResult> {
    const host = withoutBrackets(hostname)
    if (isIP(host)) return [host]
    if (isLoopbackHostname(host)) return ['127.0.0.1']
    const responses = await Promise.all([ask(host, 'A'), ask(host, 'AAAA')])
    const records = responses.flatMap(recordsIn)
    return records.length > 0 ? records : (responses.find((response) => 'code' in response) ?? [])
  }

  return { ask, addresses }
}

function recordsIn(result: LookupResult): readonly string[] {
  return 'code' in result ? [] : result
}

export function describeAddresses(hostname: string, found: LookupResult): string {
  const host = withoutBrackets(hostname)
  if ('code' in found) return `The address of ${host} can’t be looked up (${found.code}).`
  if (found.length === 0) return `DNS has no address for ${host}.`
  const shown = found.length > 4 ? [...found.slice(0, 3), `${found.length - 3} more`] : found
  const list = new Intl.ListFormat('en').format(shown)
  const reach = ', which only this machine or its network can reach'
  return `${host} leads to ${list}${found.every(isPrivateAddress) ? reach : ''}.`
}

/**
 * Checks whether DNS leads a domain record's hostname to the link service. If it doesn't, the message says which DNS
 * record to create. Takes at most 3 s. If DNS doesn't respond, the status is `unknown`.
 * @param hostname as in `URL.hostname`, for example `xn--mller-kva.example`. `target` is the link service's
 */
export async function checkDomainDns(
  hostname: string,
  target: string,
): Promise<{ status: 'ok' | 'missing' | 'elsewhere' | 'unknown'; message: string }> {
  if (isLoopbackHostname(target)) {
    const message = 'DNS was not checked, because SERVICE_PUBLIC_URL leads to this machine only.'
    return { status: 'unknown', message }
  }
  const { ask, addresses } = openDns()
  const [found, targetFound, cname] = await Promise.all([
    addresses(hostname),
    addresses(target),
    ask(hostname, 'CNAME'),
  ])
  const targetAddresses = recordsIn(targetFound)
  const alias = recordsIn(cname)[0]?.toLowerCase()
  const message = describeAddresses(hostname, found)
  if ('code' in found) return { status: 'unknown', message }
  // A CDN might respond to each query with different addresses.
  const isSame = alias === target || found.every((address) => targetAddresses.includes(address))
  if (found.length > 0 && isSame) return { status: 'ok', message }

  const both = `${message} ${describeAddresses(target, targetFound)}`
  const [address] = targetAddresses
  if (address === undefined) return { status: 'unknown', message: both }
  // The name at the top of a zone, such as example.com, has NS records and can't have a CNAME record.
  const startsZone = async () =>
    hostname.split('.').length === 2 || recordsIn(await ask(hostname, 'NS')).length > 0
  const isName = isIP(withoutBrackets(target)) === 0
  const canBeAlias = isName && (alias !== undefined || !(await startsZone()))
  const addressType = isIPv6(address) ? 'an AAAA' : 'an A'
  const record = canBeAlias
    ? `a CNAME record for ${hostname} with the value ${target}`
    : `${addressType} record for ${hostname} with the value ${address}`
  if (found.length === 0) return { status: 'missing', message: `${message} Create ${record}.` }
  const advice = `If a proxy at ${hostname} forwards requests to Backhalf, leave its DNS records as they are. Otherwise, replace them with ${record}.`
  return { status: 'elsewhere', message: `${both} ${advice}` }
}
