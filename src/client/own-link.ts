import type { CreateRequest } from '../contract/create-request.ts'
import type { ListQuery } from '../contract/list-query.ts'
import type { Shortlink } from '../contract/shortlink.ts'
import { existingLink } from './conflict.ts'
import type { ApiError } from './errors/api-error.ts'
import { LinkServiceError } from './errors/link-service-error.ts'
import type { LinkPage } from './link-page.ts'

/** How far back we look: the link was made seconds ago, beside other people's. */
const PAGES = 3
const PER_PAGE = 20

/**
 * Finds the link that an earlier try of the same create made, though its answer got lost. A 409
 * on the retry gives it away: the service shows it in the conflict, or lists it among the newest.
 *
 * @returns undefined when the conflict is with another link, or that can't be found out
 */
export async function findOwnLink(
  conflict: ApiError,
  request: CreateRequest,
  list: (query: Partial<ListQuery>) => Promise<LinkPage>,
): Promise<Shortlink | undefined> {
  const shown = existingLink(conflict)
  if (shown) return hasBackHalf(shown, request.back_half) ? shown : undefined
  try {
    for (let page = 1; page <= PAGES; page++) {
      const newest = await list({ page, per_page: PER_PAGE, sort_by: 'most_recent', order: 'desc' })
      const own = newest.links.find((link) => isWhatWeAsked(link, request))
      if (own || !newest.hasNext) return own
    }
  } catch (error) {
    // The key may not be allowed to list, for example: then the conflict itself is the answer.
    if (!(error instanceof LinkServiceError)) throw error
  }
  return undefined
}

function isWhatWeAsked(link: Shortlink, { destination_url, back_half }: CreateRequest): boolean {
  const same = URL.parse(link.destination_url)?.href === URL.parse(destination_url)?.href
  return same && hasBackHalf(link, back_half)
}

/** Any back-half will do where none was asked for. */
function hasBackHalf({ shortlink_url }: Shortlink, backHalf: string | undefined): boolean {
  if (!backHalf) return true
  const segment = URL.parse(shortlink_url)?.pathname.split('/').at(-1) ?? ''
  return decode(segment) === backHalf.normalize()
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment).normalize()
  } catch {
    return segment
  }
}
