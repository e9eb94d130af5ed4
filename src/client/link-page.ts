import { z } from 'zod'
import { answeredShortlink } from './answered-shortlink.ts'
import { ResponseShapeError } from './errors/response-shape-error.ts'
import { surveyJson, type Survey } from './survey.ts'

const timestamp = z.iso.datetime({ offset: true, local: true }).optional().catch(undefined)

const listedLink = answeredShortlink.extend({
  created_at: timestamp,
  updated_at: timestamp,
  clicks: z.int().nonnegative().optional().catch(undefined),
})

/** A Shortlink in a list. Many services add when it was made (ISO 8601) and how often it was followed. */
export type ListedLink = z.infer<typeof listedLink>

/** One page of a list (spec §4.2). */
export interface LinkPage {
  links: ListedLink[]
  /** How many items of the page could not be read as links. */
  skipped: number
  page: number
  /** What the service says, or else what it was asked for. */
  perPage: number
  totalItems?: number
  totalPages?: number
  /** Without totals, a full page means that there may be a next one. */
  hasNext: boolean
}

/** Names under which services give these, in lower case without underscores. */
const PER_PAGE = ['perpage', 'pagesize', 'pagelength']
const TOTAL_ITEMS = ['totalitems', 'totalcount', 'total', 'totalresults']
const TOTAL_PAGES = ['totalpages', 'pagecount', 'lastpage', 'pages']
const HAS_NEXT = ['hasnext', 'hasnextpage', 'hasmore']

/**
 * Reads a list whose shape the specification leaves open (spec §4.2): the links are the first
 * array, anywhere in the answer, with an item that is a link; page size and totals are taken
 * where they stand under a usual name.
 *
 * @param json the body of an answer with this status
 * @throws ResponseShapeError when there is no list in it
 */
export function readLinkPage(
  json: unknown,
  { status, page, perPage: asked }: { status: number; page: number; perPage: number },
): LinkPage {
  const { arrays, scalars } = surveyJson(json)
  const items = linksAmong(arrays)
  if (!items) throw new ResponseShapeError(status, 'JSON that holds no list of links')
  const links = items.flatMap((item) => listedLink.safeParse(item).data ?? [])
  const perPage = firstOf(scalars, PER_PAGE, asCount) || asked
  const totalItems = firstOf(scalars, TOTAL_ITEMS, asCount)
  const totalPages = firstOf(scalars, TOTAL_PAGES, asCount)
  const total = totalPages ?? (totalItems === undefined ? undefined : totalItems / perPage)
  const more =
    firstOf(scalars, HAS_NEXT, asFlag) ??
    (total === undefined ? items.length >= perPage : page < total)
  return {
    links,
    skipped: items.length - links.length,
    page,
    perPage,
    ...(totalItems !== undefined && { totalItems }),
    ...(totalPages !== undefined && { totalPages }),
    // Totals may be stale: nobody shall page through emptiness.
    hasNext: more && items.length > 0,
  }
}

/**
 * The first array with a link in it; else one of things that at least look like links, all of
 * them faulty; else an empty one, as an empty page has.
 */
function linksAmong(arrays: Survey['arrays']): unknown[] | undefined {
  const found =
    arrays.find(({ items }) => items.some((item) => answeredShortlink.safeParse(item).success)) ??
    arrays.find(({ items }) => items.some(looksLikeLink)) ??
    arrays.find(({ items, insideArray }) => items.length === 0 && !insideArray)
  return found?.items
}

function looksLikeLink(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'destination_url' in item
}

function firstOf<T>(
  scalars: Survey['scalars'],
  names: string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  return names.map((name) => read(scalars.get(name))).find((value) => value !== undefined)
}

function asCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

function asFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}
