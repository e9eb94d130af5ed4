import type { ListQuery } from '../contract/list-query.ts'
import { failureOf } from './failures.ts'

// Every service accepts this page size, because it is the default (spec §4.3).
const DEFAULT_PAGE_SIZE = 10

/** The specification has no maximum page size (spec §8). If `perPage` is refused, the default size is requested. */
export async function listNewest<P>(
  list: (query: Partial<ListQuery>) => Promise<P>,
  { page = 1, perPage }: { page?: number; perPage: number },
): Promise<P> {
  const query = { page, sort_by: 'most_recent', order: 'desc' } as const
  return list({ ...query, per_page: perPage }).catch((error: unknown) => {
    if (!isQueryRefused(error)) throw error
    return list({ ...query, per_page: DEFAULT_PAGE_SIZE })
  })
}

const SEARCHED_LINKS = 100

export async function findNewestTo<L extends { destination_url: string }>(
  destination: string | undefined,
  list: (query: Partial<ListQuery>) => Promise<{ links: readonly L[] }>,
  isWanted: (link: L) => boolean,
): Promise<L | undefined> {
  const href = URL.parse(destination ?? '')?.href
  const { links } = await listNewest(list, { perPage: SEARCHED_LINKS })
  return links.find((link) => URL.parse(link.destination_url)?.href === href && isWanted(link))
}

export function isQueryRefused(error: unknown): boolean {
  return failureOf(error, 'invalid') !== undefined
}
