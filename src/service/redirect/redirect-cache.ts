import { LRUCache } from 'lru-cache'
import { isBackHalf } from '../store/back-half.ts'
import type { ServiceContext } from '../store/context.ts'
import { redirectUrl } from '../store/destination.ts'
import { findByShortUrl } from '../store/links.ts'

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
  /** The destination with its UTM parameters. */
  location: string
  /** The hostname of the destination. */
  hostname: string
  /** Whether the link has a custom preview, for programs that show preview cards. */
  hasCard: boolean
}

/** Finds out where short URLs redirect to. */
export interface RedirectCache {
  /**
   * Returns the redirect of a short URL, or undefined if there is no such link.
   *
   * @param hostname the request's Host, without a port
   */
  find(hostname: string, backHalf: string): Promise<Redirect | undefined>
}

/**
 * Looks up redirects and remembers recent ones, because a link never changes its destination. It
 * does not remember unknown short URLs: their links may be created at any moment.
 */
export function createRedirectCache({ db, addresses }: ServiceContext): RedirectCache {
  const cache = new LRUCache<string, Redirect>({ max: CACHE_SIZE })
  return {
    async find(hostname, backHalf) {
      if (!isBackHalf(backHalf) || hostname.length > MAX_HOSTNAME_LENGTH) return undefined
      const hostnames = addresses.hostnamesFor(hostname)
      const key = `${hostnames.join(' ')}/${backHalf}`
      const cached = cache.get(key)
      if (cached !== undefined) return cached
      const link = await findByShortUrl(db, hostnames, backHalf)
      if (!link) return undefined
      const location = redirectUrl(link)
      const redirect = {
        linkId: link.id,
        location,
        hostname: new URL(location).hostname,
        hasCard: link.is_custom_preview === 1,
      }
      cache.set(key, redirect)
      return redirect
    },
  }
}
