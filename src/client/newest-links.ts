import type { ListQuery } from '../contract/list-query.ts'
import { ApiError } from './errors.ts'

/**
 * Page sizes to ask for, largest first. The specification names no maximum (spec §8), and a service may
 * refuse a page size that is larger than its own. It accepts its default, which is 10.
 */
const PAGE_SIZES = [100, 50, 20, 10]

/**
 * Lists the newest links, on a page as large as the service allows.
 *
 * @param atMost the largest page size to ask for
 * @throws the error of `list`
 */
export async function listNewest<P>(
  list: (query: Partial<ListQuery>) => Promise<P>,
  { page = 1, atMost }: { page?: number; atMost: number },
): Promise<P> {
  const sizes = PAGE_SIZES.filter((size) => size <= atMost)
  for (let index = 0; ; index++) {
    try {
      return await list({
        page,
        per_page: sizes[index] ?? 10,
        sort_by: 'most_recent',
        order: 'desc',
      })
    } catch (error) {
      if (!isPageSizeRefused(error) || index + 1 >= sizes.length) throw error
    }
  }
}

/** Whether a list may have failed because the service does not allow pages of that size. */
export function isPageSizeRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 422)
}
