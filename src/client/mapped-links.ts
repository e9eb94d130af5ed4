import type { z } from 'zod'
import { LinkServiceError } from '../port/failures.ts'
import type { LinkPage, ListedLink, ReadLink } from '../port/links.ts'
import { receivedListedLink } from '../port/links.ts'
import type { Clock } from '../timing/clock.ts'
import type { TimedPage } from './lost-create.ts'
import type { HttpResponse } from './transport.ts'

type MappedLink = { [Member in keyof ListedLink]?: unknown }

export function linkSchema<Received>(
  received: z.ZodType<Received>,
  map: (link: Received) => MappedLink,
) {
  return received.transform(map).pipe(receivedListedLink)
}

/** If the service doesn't say how many there are, a full page means that there might be another one. */
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
    page,
    perPage,
    ...(totalItems !== undefined && { totalItems, totalPages: Math.ceil(totalItems / perPage) }),
    hasNext: hasMore && items.length > 0,
  }
}

/** For services without ETags: the time of the last change is the version. */
export function versionedLink(link: ListedLink): ReadLink {
  return { link, ...(link.updated_at && { etag: link.updated_at }) }
}

export function checkUnchanged({ updated_at }: ListedLink, etag: string | undefined): void {
  if (etag === undefined || etag === updated_at) return
  throw new LinkServiceError('The link has changed.', { failure: { kind: 'changed' } })
}

export async function timedPage(
  clock: Clock,
  fetch: () => Promise<{ response: HttpResponse; page: LinkPage }>,
): Promise<TimedPage> {
  const sentAtMs = clock.now()
  const { response, page } = await fetch()
  const dateMs = Date.parse(response.header('date') ?? '')
  return {
    page,
    sentAtMs,
    receivedAtMs: clock.now(),
    dateMs: Number.isNaN(dateMs) ? undefined : dateMs,
  }
}
