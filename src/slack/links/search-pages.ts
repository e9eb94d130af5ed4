import type { Operation } from '../../client/operation.ts'
import type { LinkPage, ListedLink } from '../../client/link-client.ts'
import { isPageSizeRefused } from '../../client/newest-links.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { PER_PAGE, type ListPosition } from './link-pages.ts'
import type { LinkService } from './link-service.ts'

/** The page sizes of the search, the preferred one first: a service may allow less than 100. */
const PAGE_SIZES = [100, 50, PER_PAGE] as const

/** How many pages are searched at most. */
const MAX_PAGES = 20

/** How long the search may take, in milliseconds. The user is waiting. */
const SEARCH_WITHIN_MS = 6_000

/**
 * Searches the pages of a list for a link: first the part around a position, then in both directions.
 *
 * @param operation what the search is part of; by default, each of its calls is an operation of its own
 * @returns undefined if none of the pages that were searched has it
 * @throws LinkServiceError, NotConnectedError
 */
export async function searchPages(
  linkService: LinkService,
  workspace: Workspace,
  position: ListPosition,
  isWanted: (link: ListedLink) => boolean,
  operation?: Operation,
): Promise<ListedLink | undefined> {
  const signal = AbortSignal.timeout(SEARCH_WITHIN_MS)
  let pagesLeft = MAX_PAGES

  /** @returns undefined if the service does not allow pages of this size */
  async function fetchPage(page: number, size: number): Promise<LinkPage | undefined> {
    const { mine: _mine, ...listed } = position
    const query = { ...listed, page, per_page: size }
    return linkService.list(workspace, query, { signal, operation }).catch((error: unknown) => {
      if (isPageSizeRefused(error) && size > PER_PAGE) return undefined
      throw error
    })
  }

  /** Starts at the page of this size that the position is on. */
  async function searchAround(size: number): Promise<ListedLink | undefined> {
    const start = Math.floor(((position.page - 1) * PER_PAGE) / size) + 1
    let last = Infinity
    for (let distance = 0; ; distance++) {
      const both = distance === 0 ? [start] : [start + distance, start - distance]
      const pages = both.filter((page) => page >= 1 && page <= last)
      if (pages.length === 0) return undefined
      for (const page of pages) {
        if (pagesLeft-- === 0) return undefined
        const answer = await fetchPage(page, size)
        const found = answer?.links.find(isWanted)
        if (found) return found
        // The service has another page size: the next smaller one may suit it.
        if (!answer || answer.perPage < size) return undefined
        if (!answer.hasNext) last = Math.min(last, page)
      }
    }
  }

  for (const size of PAGE_SIZES) {
    const found = pagesLeft > 0 ? await searchAround(size) : undefined
    if (found) return found
  }
  return undefined
}
