import { failureOf } from './failures.ts'
import type { LinkQuery } from './link-service.ts'

// Every service accepts this page size, because it is the default (spec §4.3).
const DEFAULT_PAGE_SIZE = 10

type List<P> = (query: LinkQuery) => Promise<P>

/** The specification has no maximum page size (spec §8). If `per_page` is refused, the default size is requested. */
export async function listPage<P>(list: List<P>, query: LinkQuery): Promise<P> {
  return list(query).catch((error: unknown) => {
    if (!failureOf(error, 'invalid')) throw error
    return list({ ...query, per_page: DEFAULT_PAGE_SIZE })
  })
}

export async function listNewest<P>(list: List<P>, page: number, perPage: number): Promise<P> {
  return listPage(list, { page, per_page: perPage, sort_by: 'most_recent', order: 'desc' })
}

const SEARCHED_LINKS = 100

export async function findNewestTo<L extends { destination_url: string }>(
  destination: string | undefined,
  list: List<{ links: readonly L[] }>,
  isWanted: (link: L) => boolean,
): Promise<L | undefined> {
  const href = URL.parse(destination ?? '')?.href
  const { links } = await listNewest(list, 1, SEARCHED_LINKS)
  return links.find((link) => URL.parse(link.destination_url)?.href === href && isWanted(link))
}
