import { LRUCache } from 'lru-cache'
import type { RedirectMetrics } from '../../metrics/service-metrics.ts'
import { isBackHalf } from '../store/back-half.ts'
import type { ChangedLinks } from '../store/changed-links.ts'
import type { ServiceContext } from '../store/context.ts'
import { redirectUrl } from '../store/destination.ts'
import { findByShortUrl, type LinkRow } from '../store/links.ts'

/** Redirects in memory. With URLs of 2,000 characters, they take about 20 MB. */
const CACHE_SIZE = 10_000

/**
 * Longest hostname in characters (RFC 1035), with a dot at the end. On a loopback address, every Host
 * reaches a link, and longer ones would fill the memory.
 */
const MAX_HOSTNAME_LENGTH = 254

/** The parts of a link that a redirect needs. */
export interface Redirect {
  linkId: string
  /** Its state also depends on the time. */
  life: Pick<LinkRow, 'enabled' | 'expires_at' | 'deleted_at'>
  /** The destination with its UTM parameters; empty if the link is deleted. */
  location: string
  /** The hostname of the destination; empty if the link is deleted. */
  hostname: string
  /** Whether the link has a custom preview, for programs that show preview cards. */
  hasCard: boolean
}

/** Finds out where short URLs redirect to. */
export interface RedirectCache {
  /**
   * Returns the redirect of a short URL, or undefined if there is no such link. Without a promise, if it is in memory.
   *
   * @param hostname the request's Host, without a port
   */
  find(hostname: string, backHalf: string): Redirect | undefined | Promise<Redirect | undefined>
}

/**
 * Looks up redirects and remembers recent ones until their link changes. It does not remember unknown short URLs:
 * their links may be created at any moment.
 */
export function createRedirectCache({
  db,
  addresses,
  changedLinks,
  metrics,
}: ServiceContext & {
  changedLinks: ChangedLinks
  metrics?: RedirectMetrics | undefined
}): RedirectCache {
  const cache = new LRUCache<string, { redirect: Redirect; readAt: number }>({ max: CACHE_SIZE })
  /** Of the last request: most requests have the same Host. */
  let last: { hostname: string; hostnames: string[]; prefix: string } | undefined

  function hostnamesFor(hostname: string) {
    if (hostname !== last?.hostname) {
      const hostnames = addresses.hostnamesFor(hostname)
      last = { hostname, hostnames, prefix: `${hostnames.join(' ')}/` }
    }
    return last
  }

  async function read(key: string, hostnames: readonly string[], backHalf: string) {
    const readAt = changedLinks.moment()
    const link = await findByShortUrl(db, hostnames, backHalf)
    if (!link) return undefined
    const redirect = toRedirect(link)
    cache.set(key, { redirect, readAt })
    return redirect
  }

  return {
    find(hostname, backHalf) {
      if (!isBackHalf(backHalf) || hostname.length > MAX_HOSTNAME_LENGTH) return undefined
      const { hostnames, prefix } = hostnamesFor(hostname)
      const key = prefix + backHalf
      const cached = cache.get(key)
      if (cached && !changedLinks.hasChanged(cached.redirect.linkId, cached.readAt)) {
        metrics?.lookups.inc({ result: 'hit' })
        return cached.redirect
      }
      metrics?.lookups.inc({ result: 'miss' })
      return read(key, hostnames, backHalf)
    },
  }
}

function toRedirect(link: LinkRow): Redirect {
  const { id: linkId, enabled, expires_at, deleted_at, is_custom_preview } = link
  const location = deleted_at === null ? redirectUrl(link) : ''
  return {
    linkId,
    life: { enabled, expires_at, deleted_at },
    location,
    hostname: location && new URL(location).hostname,
    hasCard: is_custom_preview === 1,
  }
}
