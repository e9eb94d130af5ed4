import { LRUCache } from 'lru-cache'
import type { Database } from '../database/database.ts'
import type { Addresses } from './addresses.ts'
import { isBackHalf } from './store/back-half.ts'
import { effectiveDestination } from './store/destination.ts'
import { findByShortUrl } from './store/links.ts'

/** Destinations kept in memory; at 2,000 characters each, some 20 MB. */
const CACHE_SIZE = 10_000

/** As much of a link as following it takes. */
export interface FollowedLink {
  id: string
  /** Where it leads, with its UTM parameters. */
  destination: string
  /** The destination's. */
  hostname: string
  /** Whether it has a preview of its own, drawn for those that ask for one. */
  hasCard: boolean
}

/** Where short URLs lead. */
export interface FollowedLinks {
  /**
   * The link of a short URL; undefined where there is none.
   *
   * @param hostname the request's Host, without a port
   */
  find(hostname: string, backHalf: string): Promise<FollowedLink | undefined>
}

/**
 * Looks links up, and remembers the ones followed lately: a link never changes its destination.
 * What was not found is not remembered: it may be made at any moment.
 */
export function createFollowedLinks({
  database: { db },
  addresses,
}: {
  database: Database
  addresses: Addresses
}): FollowedLinks {
  const cache = new LRUCache<string, FollowedLink>({ max: CACHE_SIZE })
  return {
    async find(hostname, backHalf) {
      if (!isBackHalf(backHalf)) return undefined
      const hostnames = addresses.hostnamesOf(hostname)
      const key = `${hostnames.join(' ')}/${backHalf}`
      const known = cache.get(key)
      if (known !== undefined) return known
      const link = await findByShortUrl(db, hostnames, backHalf)
      if (!link) return undefined
      const destination = effectiveDestination(
        link.destination_url,
        link.utm_analytics_enabled === 1 ? link : {},
      )
      const found = {
        id: link.id,
        destination,
        hostname: new URL(destination).hostname,
        hasCard: link.is_custom_preview === 1,
      }
      cache.set(key, found)
      return found
    },
  }
}
