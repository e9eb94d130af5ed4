import type { z } from 'zod'
import { ResponseShapeError } from './errors.ts'
import { linkDetails, readJson } from './responses.ts'
import type { HttpResponse } from './transport.ts'

export type LinkDetails = z.infer<typeof linkDetails>

/** The back-half of a link. A service that doesn't send it shows it at the end of the short URL. */
export function backHalfOf({ back_half, shortlink_url }: LinkDetails): string {
  if (back_half !== undefined) return back_half
  const segment = new URL(shortlink_url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** A link as it was read, and what an edit needs so that it does not overwrite another edit. */
export interface ReadLink {
  link: LinkDetails
  /** The value for `If-Match`; absent if the service sends none. */
  etag?: string
}

/** How many objects are searched for the link, and how deep. */
const MAX_OBJECTS = 1_000
const MAX_DEPTH = 6

/**
 * Reads a single link, in any envelope.
 *
 * @throws ResponseShapeError if there is none
 */
export function readLink(response: HttpResponse): ReadLink {
  const link = findLink(readJson(response))
  if (!link) throw new ResponseShapeError(response.status, 'JSON without a shortlink')
  const etag = etagOf(response)
  return { link, ...(etag !== undefined && { etag }) }
}

/** The outermost object that is a link. */
function findLink(json: unknown): LinkDetails | undefined {
  let level: unknown[] = [json]
  for (let depth = 0, seen = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const objects = level.filter(isObject).slice(0, MAX_OBJECTS - seen)
    seen += objects.length
    for (const object of objects) {
      const link = 'destination_url' in object && linkDetails.safeParse(object).data
      if (link) return link
    }
    level = objects.flatMap((object): unknown[] => Object.values(object))
  }
  return undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Proxies that compress an answer mark its tag as weak, and `If-Match` never accepts a weak one. */
function etagOf(response: HttpResponse): string | undefined {
  return /^(?:W\/)?("[\x21\x23-\x7e]{1,200}")$/.exec(response.header('etag')?.trim() ?? '')?.[1]
}
