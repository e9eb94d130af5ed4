import type { LinkContext } from './context.ts'
import { findByHostname, type DomainRow, type DomainUrls } from './domains.ts'
import { destinationError } from './destination-rules.ts'

/**
 * Finds the URL to which a hostname redirects. Undefined if it has none, if the database can't be read, or if the URL
 * has been blocked since it was set, or now leads to this service, which could be a redirect loop.
 */
export async function findDomainPage(
  { db, addresses, blocklist }: Pick<LinkContext, 'db' | 'addresses' | 'blocklist'>,
  requested: string,
  page: keyof DomainUrls,
): Promise<string | undefined> {
  for (const hostname of addresses.hostnamesFor(requested)) {
    const urls = await findByHostname(db, hostname).catch(() => undefined)
    const location = urls?.[page]
    if (!location) continue
    const url = new URL(location)
    return addresses.isOwnUrl(url) || blocklist.blocks(url.hostname) ? undefined : location
  }
  return undefined
}

/**
 * Sets where `/` and unknown back-halves of a hostname lead.
 * @param inputs `none` or an empty input removes a URL; undefined keeps it
 * @returns an error message for each invalid input. If there are any, nothing was changed
 */
export async function setDomainUrls(
  context: Parameters<typeof destinationError>[0],
  { domain_name }: Pick<DomainRow, 'domain_name'>,
  inputs: Record<keyof DomainUrls, string | undefined>,
): Promise<Record<string, string>> {
  const urls: Record<string, string | null> = {}
  const errors: Record<string, string> = {}
  for (const [name, input] of Object.entries(inputs)) {
    if (input === undefined) continue
    const isRemoved = input === '' || input === 'none'
    const error = isRemoved ? undefined : await destinationError(context, input)
    if (error !== undefined) errors[name] = error
    else urls[name] = isRemoved ? null : new URL(input).href
  }
  if (Object.keys(errors).length === 0) {
    const update = context.db.updateTable('domains').set(urls)
    await update.where('domain_name', '=', domain_name).execute()
  }
  return errors
}
