import type { Act } from '../../client/act.ts'
import type { LinkPage, ListedLink } from '../../client/link-client.ts'
import { isPageSizeRefused } from '../../client/newest-links.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { decodeListPosition, PER_PAGE } from '../platform/link-pages.ts'
import type { Platform } from '../platform/platform.ts'
import { linkKey, type MenuChoice } from './menu.ts'

/** The page sizes of the search, the preferred one first: a service may allow less than 100. */
const PAGE_SIZES = [100, 50, PER_PAGE] as const

/** How many pages are searched at most, after the one that the link was on. */
const MAX_PAGES = 20

/** How long the search may take, in milliseconds. The user is waiting. */
const SEARCH_WITHIN_MS = 6_000

/**
 * Finds the link that the user chose: on its page, or else on the pages around it, because new links push the
 * others to later pages.
 *
 * @param act what the search is part of; by default, each of its calls is an act of its own
 * @throws SlackInputError if none of them has it; LinkServiceError, NotConnectedError
 */
export async function findListedLink(
  { linkLists, linkService }: Pick<Platform, 'linkLists' | 'linkService'>,
  caller: Pick<Caller, 'workspace' | 'userId'>,
  { key, position }: Pick<MenuChoice, 'key' | 'position'>,
  act?: Act,
): Promise<ListedLink> {
  const decoded = decodeListPosition(position)
  const { sort_by, order, q } = decoded
  const isChosen = ({ name }: ListedLink): boolean => linkKey(name) === key
  const signal = AbortSignal.timeout(SEARCH_WITHIN_MS)
  let pagesLeft = MAX_PAGES
  const { links, isRecord } = await linkLists.fetch(caller, decoded, { act, details: false })

  /** @returns undefined if the service does not allow pages of this size */
  async function fetchPage(page: number, size: number): Promise<LinkPage | undefined> {
    const query = { sort_by, order, page, per_page: size, ...(!isRecord && { q }) }
    return linkService.list(caller.workspace, query, { signal, act }).catch((error: unknown) => {
      if (isPageSizeRefused(error) && size > PER_PAGE) return undefined
      throw error
    })
  }

  /** Starts at the page of this size that the link was on, and goes in both directions. */
  async function searchAround(size: number): Promise<ListedLink | undefined> {
    const start = Math.floor(((decoded.page - 1) * PER_PAGE) / size) + 1
    let last = Infinity
    for (let distance = 0; ; distance++) {
      const both = distance === 0 ? [start] : [start + distance, start - distance]
      const pages = both.filter((page) => page >= 1 && page <= last)
      if (pages.length === 0) return undefined
      for (const page of pages) {
        if (pagesLeft-- === 0) return undefined
        const answer = await fetchPage(page, size)
        const found = answer?.links.find(isChosen)
        if (found) return found
        // The service has another page size: the next smaller one may suit it.
        if (!answer || answer.perPage < size) return undefined
        if (!answer.hasNext) last = Math.min(last, page)
      }
    }
  }

  async function search(): Promise<ListedLink | undefined> {
    for (const size of PAGE_SIZES) {
      const found = pagesLeft > 0 ? await searchAround(size) : undefined
      if (found) return found
    }
    return undefined
  }

  const found = links.find(isChosen) ?? (await search())
  if (found) return found
  throw new SlackInputError([
    {
      message:
        'This link can’t be found anymore. It was deleted, or the list has changed a lot since you opened it. Open the list again to see the current links.',
    },
  ])
}
