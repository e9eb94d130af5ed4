import { effectiveDestination } from '../contract/destination.ts'
import {
  eachField,
  someFields,
  UTM_PARAMETERS,
  type UtmParameter,
} from '../contract/link-fields.ts'
import type { UpdateRequest } from '../contract/link-requests.ts'
import type { ListedLink } from '../port/links.ts'

export const UTM_FIELDS = ['utm_analytics_enabled', ...UTM_PARAMETERS] as const

type UtmValues = { [Name in UtmParameter]?: string | undefined }

/** Splits a destination into its UTM values and the rest, for services without UTM fields. */
export function withoutUtm(
  destination: string,
): { destination_url: string } & Partial<Record<UtmParameter, string>> {
  const url = URL.parse(destination)
  const utm = someFields(UTM_PARAMETERS, (name) => url?.searchParams.get(name) || undefined)
  if (!url || Object.keys(utm).length === 0) return { destination_url: destination }
  const isUtm = (part: string): boolean =>
    new URLSearchParams(part).keys().some((name) => Object.hasOwn(utm, name))
  url.search = url.search
    .slice(1)
    .split('&')
    .filter((part) => !isUtm(part))
    .join('&')
  return { destination_url: url.href, ...utm }
}

/** Moves the UTM values of a request's destination into its UTM fields. A field that has a value already keeps it. */
export function splitUtm<Request extends { destination_url: string } & UtmValues>(
  request: Request,
): Request {
  const typed = someFields(UTM_PARAMETERS, (name) => request[name] || undefined)
  return { ...request, ...withoutUtm(request.destination_url), ...typed }
}

export function editedDestination(link: ListedLink, changes: UpdateRequest): string {
  const { destination_url = link.destination_url, utm_analytics_enabled } = changes
  const utm = eachField(UTM_PARAMETERS, (name) => changes[name] ?? link[name])
  const { destination_url: rest, ...values } = splitUtm({ destination_url, ...utm })
  return effectiveDestination(rest, utm_analytics_enabled === false ? {} : values)
}
