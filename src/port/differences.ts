import { specOf, UTM_PARAMETERS, type LinkField } from '../contract/link-fields.ts'
import type { CreateRequest } from '../contract/link-requests.ts'
import { parseTags } from '../contract/tags.ts'
import { backHalfOf, type ListedLink } from './links.ts'

/** A field that a link service made into something else than it was asked for. */
export interface Difference {
  field: LinkField
  wanted: string
  /** Undefined: it was left out. */
  found: string | undefined
}

type Compared = [LinkField, wanted: string | undefined, found: string | undefined]

/** What differs between a request and the link that came of it. Fields that the service's answer doesn't have are not compared. */
export function differencesOf(request: CreateRequest, link: ListedLink): Difference[] {
  const compared: Compared[] = [
    ['destination_url', normalized(request.destination_url), normalized(link.destination_url)],
    ['back_half', request.back_half?.normalize(), backHalfOf(link).normalize()],
    ['title', request.title, link.title],
    ['tags', tagText(parseTags(request.tags ?? '')), link.tags && tagText(link.tags)],
    ...UTM_PARAMETERS.map((name): Compared => [name, request[name], link[name]]),
  ]
  return compared.flatMap(([field, wanted, found]) =>
    wanted && wanted !== found && (found !== undefined || specOf(field).isPermanent)
      ? [{ field, wanted, found }]
      : [],
  )
}

function normalized(url: string): string {
  return URL.parse(url)?.href ?? url
}

const tagText = (tags: readonly string[]): string => [...tags].sort().join(', ')
