import type { ListQuery } from '../contract/list-query.ts'
import { failureOf } from './failures.ts'

/** The page size that every service accepts, because it is the default (spec §4.3). */
const DEFAULT_SIZE = 10

/**
 * Lists the newest links. The specification names no maximum for the page size (spec §8), so a service may refuse a
 * larger one than its own.
 *
 * @param perPage the page size to ask for first
 * @throws the error of `list`
 */
export async function listNewest<P>(
  list: (query: Partial<ListQuery>) => Promise<P>,
  { page = 1, perPage }: { page?: number; perPage: number },
): Promise<P> {
  const query = { page, sort_by: 'most_recent', order: 'desc' } as const
  return list({ ...query, per_page: perPage }).catch((error: unknown) => {
    if (!isQueryRefused(error)) throw error
    return list({ ...query, per_page: DEFAULT_SIZE })
  })
}

/** How many of the newest links are searched: one page, as large as services allow. */
const SEARCHED_LINKS = 100

/** Searches the newest links for one to a destination. @throws the error of `list` */
export async function findNewestTo<L extends { destination_url: string }>(
  destination: string | undefined,
  list: (query: Partial<ListQuery>) => Promise<{ links: readonly L[] }>,
  isWanted: (link: L) => boolean,
): Promise<L | undefined> {
  const href = URL.parse(destination ?? '')?.href
  const { links } = await listNewest(list, { perPage: SEARCHED_LINKS })
  return links.find((link) => URL.parse(link.destination_url)?.href === href && isWanted(link))
}

/** Whether a list may have failed because of a value in its query, such as a page size that the service doesn't allow. */
export function isQueryRefused(error: unknown): boolean {
  return failureOf(error, 'invalid') !== undefined
}
