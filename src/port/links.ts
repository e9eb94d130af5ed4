import { z } from 'zod'
import { DESTINATION_STATUSES, type DetailedShortlink } from '../contract/extension-calls.ts'
import { effectiveDestination } from '../contract/destination.ts'
import { FIELD_SPECS, UTM_PARAMETERS, type LinkField } from '../contract/link-fields.ts'
import { eachField, type FieldKind } from '../contract/field-spec.ts'
import { fieldShape, hexColor, type CreateRequest } from '../contract/link-requests.ts'
import { LISTED_FIELDS, shortlink } from '../contract/shortlink.ts'
import { parseTags } from '../contract/tags.ts'

const { name, shortlink_url } = shortlink.shape

const MAX_NAME = 1_000
const MAX_URL = 20_000
const MAX_SHORT_URL = 2_000
const MAX_TEXT = 5_000
const MAX_TAGS = 100

/** Reads a time, by default in UTC, as milliseconds since 1970. */
export const receivedTime = z.string().transform(timeOf).pipe(z.number())

// Of a time without a zone, `2027-03-01T12:00:00`, comes `2027-03-01T12:00:00.000Z`.
const timestamp = z.iso
  .datetime({ offset: true, local: true })
  .pipe(receivedTime)
  .transform((time) => new Date(time).toISOString())
  .optional()
  .catch(undefined)
const text = atMost(MAX_TEXT).min(1).optional().catch(undefined)

const RECEIVED_SCHEMAS = {
  url: atMost(MAX_URL).pipe(z.url()),
  domain: text,
  back_half: text,
  text,
  lines: text,
  tags: z.array(atMost(MAX_TEXT).min(1)).min(1).max(MAX_TAGS).optional().catch(undefined),
  flag: z.boolean().optional().catch(undefined),
  color: hexColor.optional().catch(undefined),
  image: atMost(MAX_URL).pipe(z.url()).optional().catch(undefined),
  instant: timestamp,
} satisfies Record<FieldKind, z.ZodType>

/**
 * A shortlink in a response of any service (spec §2.1). Members that the specification requires are required. An
 * optional member that is invalid is dropped, because one wrong member should not hide a link that exists.
 */
export const receivedListedLink = z.object({
  name: name.max(MAX_NAME),
  shortlink_url: atMost(MAX_SHORT_URL).pipe(shortlink_url),
  ...fieldShape([...LISTED_FIELDS, ...UTM_PARAMETERS], RECEIVED_SCHEMAS, () => ({})),
  created_at: timestamp,
  updated_at: timestamp,
  clicks: z.int().nonnegative().optional().catch(undefined),
  destination_status: z.enum(DESTINATION_STATUSES).optional().catch(undefined),
  created_by: z
    .object({ id: atMost(MAX_NAME), name: atMost(MAX_TEXT) })
    .optional()
    .catch(undefined),
})

/** Parses a time, by default in UTC. @returns milliseconds since 1970, or NaN if there is no time */
export function timeOf(text: string | undefined): number {
  if (text === undefined) return NaN
  return Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`)
}

function atMost(characters: number) {
  return z.string().max(characters)
}

export type ListedLink = z.infer<typeof receivedListedLink>

export type LinkDetails = ListedLink & {
  [Member in keyof DetailedShortlink]?: DetailedShortlink[Member] | undefined
}

export interface ReadLink<Link = LinkDetails> {
  link: Link
  etag?: string
}

export interface LinkPage {
  links: ListedLink[]
  skipped: number
  totalItems?: number
  totalPages?: number
  /** If the service reports no totals, a full page means that there might be another one. */
  hasNext: boolean
  /** Set if older links that match a search might be missing in the totals. */
  hasMore?: true
  /** Set if the short URL of a deleted link was searched for: when it was deleted, in milliseconds since 1970. */
  deletedAt?: number
}

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

export function isSameDestination(one: string, other: string): boolean {
  return canonicalUrl(one) === canonicalUrl(other)
}

/** Without the order and the encoding of query parameters, which don't matter. */
function canonicalUrl(text: string): string {
  const url = URL.parse(text)
  if (!url) return text
  const { origin, pathname, hash } = url
  return JSON.stringify([origin, pathname, hash, ...[...url.searchParams].map(String).sort()])
}

export function backHalfOf({ back_half, shortlink_url }: LinkDetails): string {
  return back_half ?? lastSegment(new URL(shortlink_url))
}

function lastSegment({ pathname }: URL): string {
  const segment = pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export function hasBackHalf(shortUrl: URL, backHalf: string | undefined): boolean {
  return !backHalf || lastSegment(shortUrl).normalize() === backHalf.normalize()
}

export interface Difference {
  field: LinkField
  wanted: string
  found: string | undefined
}

type FieldPair = [LinkField, wanted: string | undefined, found: string | undefined]

/** A field that is missing in the response is ignored, unless every link has the field. */
export function findDifferences(request: CreateRequest, link: ListedLink): Difference[] {
  const pairs: FieldPair[] = [
    ['back_half', request.back_half?.normalize(), backHalfOf(link).normalize()],
    ['title', request.title, link.title],
    ['tags', tagText(parseTags(request.tags ?? '')), link.tags && tagText(link.tags)],
    ...UTM_PARAMETERS.map((name): FieldPair => [name, request[name], link[name]]),
  ]
  // Some services move UTM parameters between the destination and their fields, so the complete URLs are compared.
  const requestedUrl = effectiveDestination(request.destination_url, request)
  const utm = eachField(UTM_PARAMETERS, (name) => link[name] ?? request[name])
  const savedUrl = effectiveDestination(link.destination_url, utm)
  if (!isSameDestination(requestedUrl, savedUrl)) {
    pairs.unshift(['destination_url', request.destination_url, link.destination_url])
  }
  return pairs.flatMap(([field, wanted, found]) => {
    const isIgnored = found === undefined && !FIELD_SPECS[field].isPermanent
    return wanted && wanted !== found && !isIgnored ? { field, wanted, found } : []
  })
}

const tagText = (tags: readonly string[]): string =>
  tags
    .map((tag) => tag.toLowerCase())
    .sort()
    .join(', ')
