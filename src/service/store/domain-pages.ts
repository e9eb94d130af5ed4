import { preparedRow } from '../../database/prepared.ts'
import type { LinkContext } from './context.ts'
import type { DomainRow, DomainUrls } from './domains.ts'
import { destinationError } from './link-rules.ts'

/**
 * Finds the URL to which a hostname redirects instead of showing our own page. Undefined if it has none, or if the
 * database can't be read. Also undefined if the URL has been blocked since it was set, or now leads to this service,
 * which could be a circle.
 */
export async function findDomainPage(
  { db, addresses, blocklist }: Pick<LinkContext, 'db' | 'addresses' | 'blocklist'>,
  requested: string,
  page: keyof DomainUrls,
): Promise<string | undefined> {
  for (const hostname of addresses.hostnamesFor(requested)) {
    const urls = await selectUrls(db, hostname).catch(() => undefined)
    const location = urls?.[page]
    if (!location) continue
    const url = new URL(location)
    return addresses.isOwnUrl(url) || blocklist.blocks(url.hostname) ? undefined : location
  }
  return undefined
}

const selectUrls = preparedRow((db, hostname: string) =>
  db
    .selectFrom('domains')
    .select(['home_url', 'not_found_url'])
    .where('domain_name', '=', hostname)
    .where((is) => is.or([is('home_url', 'is not', null), is('not_found_url', 'is not', null)]))
    .limit(1),
)

/**
 * Sets where `/` and unknown back-halves of a hostname lead.
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
    if (text === undefined) continue
    const isNone = text === '' || text === 'none'
    const error = isNone ? undefined : await destinationError(context, text)
    if (error === undefined) urls[name] = isNone ? null : new URL(text).href
    else errors[name] = error
  }
  if (Object.keys(errors).length === 0) {
    const update = context.db.updateTable('domains').set(urls)
    await update.where('domain_name', '=', domain_name).execute()
  }
  return errors
}
