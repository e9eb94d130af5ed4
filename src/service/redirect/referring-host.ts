import type { FastifyRequest } from 'fastify'
import { webUrl } from '../../web/readable-url.ts'
import { normalizeHostname, type Addresses } from '../store/addresses.ts'

const MAX_HOSTNAME_LENGTH = 253

// URLs accept further characters in a hostname, such as `*` and `~`, but no page has such a host.
const HOSTNAME = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])$/

/** Returns the hostname of the page on which a link was clicked, or undefined if it is unknown or one of our pages. */
export function referringHost(
  { headers: { referer = '' }, hostname: requested }: Pick<FastifyRequest, 'headers' | 'hostname'>,
  addresses: Addresses,
): string | undefined {
  const url = webUrl(referer)
  if (!url || addresses.isOwnUrl(url)) return undefined
  const hostname = normalizeHostname(url.hostname)
  const isUsable = HOSTNAME.test(hostname) && hostname.length <= MAX_HOSTNAME_LENGTH
  return isUsable && hostname !== normalizeHostname(requested) ? hostname : undefined
}
