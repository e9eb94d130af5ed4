import type { CreateRequest } from '../contract/create-request.ts'
import type { ListQuery } from '../contract/list-query.ts'
import type { Shortlink } from '../contract/shortlink.ts'
import { LinkServiceError, type ApiError } from './errors.ts'
import type { LinkPage } from './link-page.ts'
import { receivedShortlink } from './responses.ts'

/** What a 409 on a create is about. Spec §4.1 describes both conflicts but gives them no codes. */
export type ConflictKind = 'duplicate' | 'back_half' | 'unclear'

/**
 * Tells the two conflicts apart. Without a back-half in the request it can only be a duplicate.
 * Otherwise the error's code decides, or the field that the error names.
 */
export function conflictKind(
  { code = '', fieldMessages }: ApiError,
  request: { back_half?: string | undefined },
): ConflictKind {
  if (!request.back_half) return 'duplicate'
  const isBackHalf = /back_?half/i.test(code) || 'back_half' in fieldMessages
  const isDuplicate = /destination/i.test(code) || 'destination_url' in fieldMessages
  if (isBackHalf === isDuplicate) return 'unclear'
  return isBackHalf ? 'back_half' : 'duplicate'
}

/** The existing link that causes the conflict, if the service shows it in `details.shortlink`. */
export function conflictingLink({ details }: ApiError): Shortlink | undefined {
  return receivedShortlink.safeParse(details['shortlink']).data
}

/** How far back to search: our link was created seconds ago, among other people's links. */
const MAX_PAGES = 3
const PER_PAGE = 20

/**
 * Finds the link that an earlier attempt of the same create made, although its response got lost.
 * The retry then fails with a 409. The service shows our link in the conflict, or lists it among
 * the newest links.
 *
 * @returns undefined if the conflict is with another link, or if that can't be determined
 */
export async function findOwnLink(
  conflict: ApiError,
  request: CreateRequest,
  list: (query: Partial<ListQuery>) => Promise<LinkPage>,
): Promise<Shortlink | undefined> {
  const shown = conflictingLink(conflict)
  if (shown) return hasBackHalf(shown, request.back_half) ? shown : undefined
  try {
    for (let page = 1; page <= MAX_PAGES; page++) {
      const newest = await list({ page, per_page: PER_PAGE, sort_by: 'most_recent', order: 'desc' })
      const own = newest.links.find((link) => matchesRequest(link, request))
      if (own || !newest.hasNext) return own
    }
  } catch (error) {
    // The key may not be allowed to list, for example. Then the caller gets the conflict itself.
    if (!(error instanceof LinkServiceError)) throw error
  }
  return undefined
}

function matchesRequest(link: Shortlink, { destination_url, back_half }: CreateRequest): boolean {
  const isSame = URL.parse(link.destination_url)?.href === URL.parse(destination_url)?.href
  return isSame && hasBackHalf(link, back_half)
}

/** True for any link if the request named no back-half. */
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
