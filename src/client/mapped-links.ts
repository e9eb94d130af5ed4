import type { z } from 'zod'
import { receivedListedLink, type LinkPage, type ListedLink } from '../port/links.ts'

type MappedLink = { [Member in keyof ListedLink]?: unknown }

/** Builds a schema that reads a link of another kind of service, such as Kutt, and renames its members to ours. */
export function linkSchema<Received>(
  received: z.ZodType<Received>,
  map: (link: Received) => MappedLink,
) {
  return received.transform(map).pipe(receivedListedLink)
}

/** Reads a page of a list. Items that are not links are left out, and counted in `skipped`. */
export function linkPage(
  items: readonly unknown[],
  schema: z.ZodType<ListedLink>,
  { page, perPage, totalItems }: { page: number; perPage: number; totalItems?: number },
): LinkPage {
  const links = items.flatMap((item) => schema.safeParse(item).data ?? [])
  const hasMore = totalItems === undefined ? items.length >= perPage : page * perPage < totalItems
  return {
    links,
    skipped: items.length - links.length,
    ...(totalItems !== undefined && { totalItems, totalPages: Math.ceil(totalItems / perPage) }),
    hasNext: hasMore && items.length > 0,
  }
}
