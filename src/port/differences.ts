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

type Compared = [LinkField, wanted: string | undefined, found: string | undefined]

/**
 * Finds the fields that the link service has saved with other values than requested. Fields that the response doesn't
 * have are ignored.
 */
export function findDifferences(request: CreateRequest, link: ListedLink): Difference[] {
  const compared: Compared[] = [
    ['back_half', request.back_half?.normalize(), backHalfOf(link).normalize()],
    ['title', request.title, link.title],
    ['tags', tagText(parseTags(request.tags ?? '')), link.tags && tagText(link.tags)],
    ...UTM_PARAMETERS.map((name): Compared => [name, request[name], link[name]]),
  ]
  const asked = effectiveDestination(request.destination_url, request)
  const utm = eachField(UTM_PARAMETERS, (name) => link[name] ?? request[name])
  const isSame = isSameDestination(asked, effectiveDestination(link.destination_url, utm))
  if (!isSame) compared.unshift(['destination_url', request.destination_url, link.destination_url])
  return compared.flatMap(([field, wanted, found]) =>
    wanted && wanted !== found && (found !== undefined || FIELD_SPECS[field].isPermanent)
      ? [{ field, wanted, found }]
      : [],
  )
}

const tagText = (tags: readonly string[]): string =>
  tags
    .map((tag) => tag.toLowerCase())
    .sort()
    .join(', ')
