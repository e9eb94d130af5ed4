import { LRUCache } from 'lru-cache'
import type { RedirectMetrics } from '../../metrics/service-metrics.ts'
import { isBackHalf } from '../store/back-half.ts'
import type { ChangedLinks } from '../store/changed-links.ts'
import type { ServiceContext } from '../store/context.ts'
import { redirectUrl } from '../store/destination.ts'
import { findRedirect, type LinkRow } from '../store/links.ts'

const CACHE_BYTES = 32 * 2 ** 20
const ENTRY_OVERHEAD_BYTES = 250

// The longest hostname (RFC 1035), with a dot at the end. On a local service, any Host reaches links and is cached.
const MAX_HOSTNAME_LENGTH = 254

export interface Redirect extends Pick<LinkRow, 'enabled' | 'expires_at' | 'deleted_at'> {
  linkId: string
  location: string
  hasCard: boolean
  readAt: number
}

export interface RedirectContext extends ServiceContext {
  changedLinks: ChangedLinks
  metrics?: RedirectMetrics | undefined
}

/** Unknown short URLs aren't cached: a new link can get one any time. */
export function createRedirectCache(context: RedirectContext, maxBytes = CACHE_BYTES) {
  const { db, addresses, changedLinks, metrics } = context
  const cache = new LRUCache<string, Redirect>({
    maxSize: maxBytes,
    sizeCalculation: ({ location }, key) => ENTRY_OVERHEAD_BYTES + key.length + location.length,
  })

  function findCached(key: string): Redirect | undefined {
    const redirect = cache.get(key)
    return redirect && changedLinks.hasChanged(redirect.linkId, redirect.readAt)
      ? undefined
      : redirect
  }

  async function read(key: string, hostnames: readonly string[], backHalf: string) {
    const readAt = changedLinks.moment()
    const link = await findRedirect(db, hostnames, backHalf)
    if (!link) return undefined
    const { id: linkId, enabled, expires_at, deleted_at } = link
    const redirect = {
      linkId,
      enabled,
      expires_at,
      deleted_at,
      location: deleted_at === null ? redirectUrl(link) : '',
      hasCard: link.is_custom_preview === 1,
      readAt,
    }
    cache.set(key, redirect)
    return redirect
  }

  return {
    find(hostname: string, backHalf: string): Redirect | undefined | Promise<Redirect | undefined> {
      if (!isBackHalf(backHalf) || hostname.length > MAX_HOSTNAME_LENGTH) return undefined
      const hostnames = addresses.hostnamesFor(hostname)
      const key = `${hostnames.join(' ')}/${backHalf}`
      const redirect = findCached(key)
      metrics?.lookups.inc({ result: redirect ? 'hit' : 'miss' })
      return redirect ?? read(key, hostnames, backHalf)
    },
  }
}
