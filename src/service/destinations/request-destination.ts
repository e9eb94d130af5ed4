import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector } from 'undici'
import { openDns } from '../../http/domain-dns.ts'
import { withoutBrackets } from '../../http/public-hostname.ts'
import { DAY_MS } from '../../timing/days.ts'
import { parseRetryAfter } from '../../timing/retry.ts'
import { errorCode } from '../../values/unknown-values.ts'

export type Answer =
  | { kind: 'works' }
  | { kind: 'redirects'; to: URL }
  | { kind: 'fails'; reason: string; status?: number }
  /** People might be able to open the destination, although we can't. */
  | { kind: 'unclear'; reason: string; status?: number; retryAfterMs?: number }
  /** The destination's address is not public, so no request was sent. */
  | { kind: 'private' }

const MAX_BODY_BYTES = 64 * 1024
const MAX_REDIRECT_LENGTH = 8_000
const MAX_RETRY_AFTER_MS = 7 * DAY_MS

/** All public addresses of IPv6 are in this network. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3')

/** This address looks public, but belongs to the servers that Azure runs for its virtual machines. */
const AZURE = '168.63.129.16'

export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address)
  const isGlobal = !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL)
  return isGlobal && parsed.range() === 'unicast' && address !== AZURE
}

class PrivateAddressError extends Error {}

class NoSuchHostError extends Error {}

export interface Network {
  isAllowed: (address: string) => boolean
  timeoutMs: number
}

const INTERNET: Network = { isAllowed: isPublicAddress, timeoutMs: 10_000 }

export type AskDestination = (url: URL, method: 'HEAD' | 'GET') => Promise<Answer>

/**
 * Creates a function that asks a destination whether it works. The address of each connection is checked, so that
 * redirects and changes of DNS can't lead into a private network.
 */
export function createDestinationClient(
  userAgent: string,
  { isAllowed, timeoutMs }: Network = INTERNET,
): AskDestination {
  const lookup: LookupFunction = (hostname, options, callback) => {
    const answer = async (): Promise<void> => {
      const found = await openDns().addresses(hostname)
      if ('code' in found) throw new Error(`DNS says ${found.code}`)
      const [first] = found
      if (first === undefined) throw new NoSuchHostError()
      if (!found.every(isAllowed)) throw new PrivateAddressError()
      if (!options.all) return callback(null, first, isIP(first))
      const addresses = found.map((address) => ({ address, family: isIP(address) }))
      callback(null, addresses)
    }
    answer().catch((error: unknown) => callback(error as Error, ''))
  }
  const connect = buildConnector({ lookup, timeout: timeoutMs })
  const checked: buildConnector.connector = (options, callback) => {
    const address = withoutBrackets(options.hostname)
    // Names are looked up, but addresses are not.
    if (isIP(address) && !isAllowed(address)) callback(new PrivateAddressError(), null)
    else connect(options, callback)
  }

  return async (url, method) => {
    // Each request has an agent of its own, because an agent never forgets hosts that do not respond.
    const agent = new Agent({ connect: checked })
    try {
      const { statusCode, headers, body } = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: { 'user-agent': userAgent, accept: '*/*' },
        signal: AbortSignal.timeout(timeoutMs),
      })
      await body.dump({ limit: MAX_BODY_BYTES }).catch(() => undefined)
      const location = [headers.location].flat()[0]
      if (statusCode >= 300 && statusCode < 400 && location !== undefined) {
        return redirectTo(URL.parse(location, url))
      }
      const retryAfter = [headers['retry-after']].flat()[0]
      return toAnswer(statusCode, parseRetryAfter(retryAfter, Date.now()))
    } catch (error) {
      return toFailure(error)
    } finally {
      await agent.destroy()
    }
  }
}

function redirectTo(to: URL | null): Answer {
  if (to && to.href.length > MAX_REDIRECT_LENGTH) {
    return { kind: 'unclear', reason: 'redirects to a long address' }
  }
  if (to?.protocol === 'https:' || to?.protocol === 'http:') return { kind: 'redirects', to }
  return { kind: 'unclear', reason: 'redirects to an address that isn’t http or https' }
}

function toAnswer(status: number, retryAfterMs = 0): Answer {
  if (status < 400) return { kind: 'works' }
  const reason = String(status)
  if (status === 404 || status === 410) return { kind: 'fails', reason, status }
  const pause = retryAfterMs > 0 && { retryAfterMs: Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) }
  return { kind: 'unclear', reason, status, ...pause }
}

/** Certificate errors that count as failures. Unknown authorities don't: the browsers of a company might trust them. */
const CERTIFICATE =
  /^(?:CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|CERT_REVOKED|ERR_TLS_CERT_ALTNAME_INVALID|DEPTH_ZERO_SELF_SIGNED_CERT)$/

/**
 * Connection errors that are ignored, because they concern our own network: IPv6 might be missing here, for example.
 */
const UNREACHABLE = ['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL']

function toFailure(error: unknown): Answer {
  if (error instanceof PrivateAddressError) return { kind: 'private' }
  if (error instanceof NoSuchHostError) return { kind: 'fails', reason: 'no such host' }
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error]
  const codes = errors.map((each) => errorCode(each) ?? '')
  const known = codes.filter((code) => !UNREACHABLE.includes(code))
  const isAll = (pattern: RegExp): boolean =>
    known.length > 0 && known.every((code) => pattern.test(code))
  if (isAll(/^ECONNREFUSED$/)) return { kind: 'fails', reason: 'connection refused' }
  if (isAll(CERTIFICATE)) return { kind: 'fails', reason: 'invalid certificate' }
  return { kind: 'unclear', reason: 'no response' }
}
