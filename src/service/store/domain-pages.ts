import type { ServiceContext } from './context.ts'
import type { Blocklist } from './blocklist.ts'
import type { DomainRow, DomainUrls } from './domains.ts'
import { destinationError } from './link-rules.ts'

const REMEMBERED_MS = 1_000

export interface DomainPages {
  /**
   * Returns the URL to redirect to instead of showing our own page. It is undefined if the hostname has no such URL, if
   * the URL has been blocked since, or if it now leads to this service, so that visitors could be redirected in a
   * circle. If the database can't be read, the URLs that were read last are used.
   *
   * @param requested the request's Host, without a port
   */
  find(requested: string, page: keyof DomainUrls): Promise<string | undefined>
  forget(): void
}

/**
 * Looks up where `/` and unknown back-halves of hostnames lead. All URLs are read at once, and at most once a second, so
 * that a flood of made-up back-halves and hostnames doesn't reach the database.
 */
export function createDomainPages(
  { db, addresses }: Pick<ServiceContext, 'db' | 'addresses'>,
  blocklist: Pick<Blocklist, 'blocks'>,
  clock = () => performance.now(),
): DomainPages {
  let known = Promise.resolve(new Map<string, DomainUrls>())
  let validUntil = -Infinity

  async function read() {
    const rows = await db
      .selectFrom('domains')
      .select(['domain_name', 'home_url', 'not_found_url'])
      .where((is) => is.or([is('home_url', 'is not', null), is('not_found_url', 'is not', null)]))
      .execute()
    return new Map(rows.map((row) => [row.domain_name, row]))
  }

  return {
    async find(requested, page) {
      if (clock() >= validUntil) {
        const earlier = known
        validUntil = clock() + REMEMBERED_MS
        known = read().catch(() => earlier)
      }
      const urls = await known
      const hostname = addresses.hostnamesFor(requested).find((one) => urls.get(one)?.[page])
      const location = hostname !== undefined && urls.get(hostname)?.[page]
      if (!location) return undefined
      const url = new URL(location)
      return addresses.isOwnUrl(url) || blocklist.blocks(url.hostname) ? undefined : location
    },
    forget() {
      validUntil = -Infinity
    },
  }
}

/**
 * Sets where `/` and unknown back-halves lead, for all records of a record's hostname. The URLs follow the rules for the
 * destinations of links.
 *
 * @param texts `none` or an empty text removes a URL; undefined keeps it
 * @returns errors by the names of the texts. If there are any, nothing was changed
 */
export async function setDomainUrls(
  context: Parameters<typeof destinationError>[0],
  { domain_name }: Pick<DomainRow, 'domain_name'>,
  texts: Record<keyof DomainUrls, string | undefined>,
): Promise<Record<string, string>> {
  const urls: Record<string, string | null> = {}
  const errors: Record<string, string> = {}
  for (const [name, text] of Object.entries(texts)) {
    const isNone = text === '' || text === 'none'
    const error = isNone || !text ? undefined : await destinationError(context, text)
    if (error !== undefined) errors[name] = error
    else if (text !== undefined) urls[name] = isNone ? null : new URL(text).href
  }
  if (Object.keys(errors).length === 0) {
    const update = context.db.updateTable('domains').set(urls)
    await update.where('domain_name', '=', domain_name).execute()
  }
  return errors
}
