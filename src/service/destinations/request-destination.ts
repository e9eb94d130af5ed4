import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector } from 'undici'
import { openDns } from '../../http/domain-dns.ts'
import { withoutBrackets } from '../../http/public-hostname.ts'
import { DAY_MS } from '../../timing/days.ts'
import { parseRetryAfter } from '../../timing/retry.ts'
import { errorCode } from '../../values/unknown-values.ts'

/** What a request says about a destination. */
export interface Answer {
  /** `unclear`: a browser might be able to open it. `private`: its address is not public, so no request was sent. */
  kind: 'works' | 'redirects' | 'fails' | 'unclear' | 'private'
  /** Set if a server has responded. */
  status?: number
  to?: URL
  reason?: string
  retryAfterMs?: number
}

const MAX_BODY_BYTES = 64 * 1024
const MAX_REDIRECT_LENGTH = 8_000
const MAX_RETRY_AFTER_MS = 7 * DAY_MS

// All public IPv6 addresses are in this network.
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

// This address looks public, but leads to internal servers of Azure from its virtual machines.
const AZURE_INTERNAL = '168.63.129.16'

export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address)
  const isGlobal = !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_IPV6)
  return isGlobal && parsed.range() === 'unicast' && address !== AZURE_INTERNAL
}

class PrivateAddressError extends Error {}

class NoSuchHostError extends Error {}

export interface Network {
  isAllowed: (address: string) => boolean
  timeoutMs: number
}

const INTERNET: Network = { isAllowed: isPublicAddress, timeoutMs: 10_000 }

export type SendRequest = (url: URL, method: 'HEAD' | 'GET') => Promise<Answer>

/** Checks the address of each connection, so that neither redirects nor DNS rebinding lead into a private network. */
export function createDestinationClient(
  userAgent: string,
  stopping: AbortSignal,
  { isAllowed, timeoutMs }: Network = INTERNET,
): SendRequest {
  const lookup: LookupFunction = (hostname, options, callback) => {
    const resolveHost = async (): Promise<void> => {
      const addresses = await openDns().addresses(hostname)
      if ('code' in addresses) throw new Error(`DNS says ${addresses.code}`)
      const [first] = addresses
      if (first === undefined) throw new NoSuchHostError()
      if (!addresses.every(isAllowed)) throw new PrivateAddressError()
      if (!options.all) return callback(null, first, isIP(first))
      const entries = addresses.map((address) => ({ address, family: isIP(address) }))
      callback(null, entries)
    }
    resolveHost().catch((error: unknown) => callback(error as Error, ''))
  }
  const connect = buildConnector({ lookup, timeout: timeoutMs })
  const connectIfAllowed: buildConnector.connector = (options, callback) => {
    const address = withoutBrackets(options.hostname)
    // Undici calls `lookup` only for names, so an address in the URL is checked here.
    if (isIP(address) && !isAllowed(address)) callback(new PrivateAddressError(), null)
    else connect(options, callback)
  }

  return async (url, method) => {
    // Each request has its own agent, because an agent never forgets hosts that don't respond.
    const agent = new Agent({ connect: connectIfAllowed })
    try {
      const {
        statusCode: status,
        headers,
        body,
      } = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: { 'user-agent': userAgent, accept: '*/*' },
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), stopping]),
      })
      await body.dump({ limit: MAX_BODY_BYTES }).catch(() => undefined)
      const location = [headers.location].flat()[0]
      if (status >= 300 && status < 400 && location !== undefined) {
        return { ...redirectTo(URL.parse(location, url)), status }
      }
      const retryAfter = [headers['retry-after']].flat()[0]
      return toAnswer(status, parseRetryAfter(retryAfter, Date.now()))
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
  if (status < 400) return { kind: 'works', status }
  const reason = String(status)
  if (status === 404 || status === 410) return { kind: 'fails', reason, status }
  const cappedMs = Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)
  return { kind: 'unclear', reason, status, retryAfterMs: cappedMs }
}

// Certificate errors that count as failures. An unknown authority doesn't: a company's browsers might trust it.
const CERTIFICATE_ERROR =
  /^(?:CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|CERT_REVOKED|ERR_TLS_CERT_ALTNAME_INVALID|DEPTH_ZERO_SELF_SIGNED_CERT)$/

// Errors of our own network, which might have no IPv6, for example. They say nothing about the destination.
const OWN_NETWORK_ERRORS = ['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL']

function toFailure(error: unknown): Answer {
  if (error instanceof PrivateAddressError) return { kind: 'private' }
  if (error instanceof NoSuchHostError) return { kind: 'fails', reason: 'no such host' }
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error]
  const codes = errors.map((each) => errorCode(each) ?? '')
  const destinationCodes = codes.filter((code) => !OWN_NETWORK_ERRORS.includes(code))
  const areAll = (pattern: RegExp): boolean =>
    destinationCodes.length > 0 && destinationCodes.every((code) => pattern.test(code))
  if (areAll(/^ECONNREFUSED$/)) return { kind: 'fails', reason: 'connection refused' }
  if (areAll(CERTIFICATE_ERROR)) return { kind: 'fails', reason: 'invalid certificate' }
  return { kind: 'unclear', reason: 'no response' }
}
