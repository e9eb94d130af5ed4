import { effectiveDestination } from '../contract/destination.ts'
import { eachField, FIELD_SPECS, UTM_PARAMETERS, type LinkField } from '../contract/link-fields.ts'
import type { CreateRequest } from '../contract/link-requests.ts'
import { parseTags } from '../contract/tags.ts'
import { backHalfOf, isSameDestination, type ListedLink } from './links.ts'

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
