import { z } from 'zod'
import { isObject } from '../../values/unknown-values.ts'
import { ResponseShapeError } from '../../port/failures.ts'
import { linkPage, receivedListedLink, receivedTime, type LinkPage } from '../../port/links.ts'

// Common names of members, in lower case and without underscores.
const PER_PAGE = ['perpage', 'pagesize', 'pagelength']
const TOTAL_ITEMS = ['totalitems', 'totalcount', 'total', 'totalresults']
const TOTAL_PAGES = ['totalpages', 'pagecount', 'lastpage', 'pages']
const HAS_NEXT = ['hasnext', 'hasnextpage']
const HAS_MORE = ['hasmore']
const DELETED_AT = ['deletedat']

const MAX_ITEMS = 100
const MAX_ARRAYS = 100
const MAX_TRIED_ITEMS = 20

/**
 * Reads a page of a list. The specification leaves its shape open (spec §4.2), so the links are the first array in the
 * response that contains a link, and the page size and the totals are found by common names.
 * @param isSearch true if the list contains only links that match a text. In such a list, `has_more` means that more
 *   links might match than the totals say. In other lists, it means that there is another page
 */
export function readLinkPage(
  json: unknown,
  {
    status,
    page,
    perPage: requested,
    isSearch = false,
  }: { status: number; page: number; perPage: number; isSearch?: boolean },
): LinkPage {
  const { arrays, scalars } = scanJson(json)
  const received = findLinks(arrays)
  if (!received) throw new ResponseShapeError(status, 'JSON without a list of links')
  const total = findScalar(scalars, TOTAL_ITEMS, count)
  // A service that ignores `per_page` either sends pages of its own size, which its totals reveal, or all
  // links at once, which are then paged here.
  if (received.length > requested && (total ?? 0) <= received.length) {
    const items = received.slice((page - 1) * requested, page * requested)
    const paging = { page, perPage: requested, totalItems: received.length }
    return linkPage(items, receivedListedLink, paging)
  }
  const items = received.slice(0, Math.max(requested, MAX_ITEMS))
  const totalPages = findScalar(scalars, TOTAL_PAGES, count)
  const perPage = findScalar(scalars, PER_PAGE, count) || requested
  const { links, skipped, hasNext: isFull } = linkPage(items, receivedListedLink, { page, perPage })
  const lastPage = totalPages ?? (total === undefined ? undefined : total / perPage)
  const nextNames = isSearch ? HAS_NEXT : [...HAS_NEXT, ...HAS_MORE]
  const hasNext =
    findScalar(scalars, nextNames, z.boolean()) ??
    (lastPage === undefined ? isFull : page < lastPage)
  const mightHaveMore =
    isSearch && total !== undefined && findScalar(scalars, HAS_MORE, z.boolean())
  const deletedAt = findScalar(scalars, DELETED_AT, receivedTime)
  return {
    links,
    skipped,
    ...(total !== undefined && { totalItems: total }),
    ...(totalPages !== undefined && { totalPages }),
    // Totals might be out of date, so after an empty page there is no next page.
    hasNext: hasNext && items.length > 0,
    ...(mightHaveMore && { hasMore: true as const }),
    ...(isSearch && deletedAt !== undefined && { deletedAt }),
  }
}

function findLinks(arrays: JsonScan['arrays']): unknown[] | undefined {
  const candidates = arrays
    .filter(({ items }) => items.slice(0, MAX_TRIED_ITEMS).some(looksLikeLink))
    .slice(0, MAX_ARRAYS)
  const isLink = (item: unknown): boolean =>
    looksLikeLink(item) && receivedListedLink.safeParse(item).success
  const list =
    candidates.find(({ items }) => items.slice(0, MAX_TRIED_ITEMS).some(isLink)) ??
    candidates[0] ??
    arrays.find(({ items, insideArray }) => items.length === 0 && !insideArray)
  return list?.items
}

function looksLikeLink(item: unknown): boolean {
  return isObject(item) && 'destination_url' in item
}

const digits = z.string().regex(/^\d{1,15}$/)
const count = z.union([digits.transform(Number), z.int().nonnegative()])

function findScalar<T>(scalars: JsonScan['scalars'], names: string[], schema: z.ZodType<T>) {
  return names
    .map((name) => schema.safeParse(scalars.get(name)).data)
    .find((value) => value !== undefined)
}

const MAX_DEPTH = 8

interface JsonScan {
  arrays: { items: unknown[]; insideArray: boolean }[]
  scalars: Map<string, unknown>
}

function scanJson(json: unknown): JsonScan {
  const scan: JsonScan = { arrays: [], scalars: new Map() }
  const visit = (value: unknown, name: string, depth: number, insideArray: boolean): void => {
    if (depth > MAX_DEPTH) return
    if (Array.isArray(value)) {
      const items: unknown[] = value
      scan.arrays.push({ items, insideArray })
      for (const item of items) visit(item, '', depth + 1, true)
    } else if (typeof value === 'object' && value !== null) {
      for (const [member, inner] of Object.entries(value)) {
        visit(inner, member, depth + 1, insideArray)
      }
    } else if (!insideArray) {
      const normalized = name.toLowerCase().replaceAll('_', '')
      if (!scan.scalars.has(normalized)) scan.scalars.set(normalized, value)
    }
  }
  visit(json, '', 0, false)
  return scan
}
