import { effectiveDestination } from '../contract/destination.ts'
import { eachField, someFields } from '../contract/field-spec.ts'
import { UTM_PARAMETERS, type UtmParameter } from '../contract/link-fields.ts'
import type { UpdateRequest } from '../contract/link-requests.ts'
import type { ListedLink } from '../port/links.ts'

export const UTM_FIELDS = ['utm_analytics_enabled', ...UTM_PARAMETERS] as const

type UtmValues = { [Name in UtmParameter]?: string | undefined }

/** Splits a destination into its UTM values and the rest of the URL, for services without UTM fields. */
export function withoutUtm(destination: string): { destination_url: string } & UtmValues {
  const url = URL.parse(destination)
  const utm = someFields(UTM_PARAMETERS, (name) => url?.searchParams.get(name) || undefined)
  if (!url || Object.keys(utm).length === 0) return { destination_url: destination }
  const isUtm = (parameter: string): boolean =>
    new URLSearchParams(parameter).keys().some((name) => Object.hasOwn(utm, name))
  // The other parameters are not encoded again, because a signature might cover their exact bytes.
  const parameters = url.search.slice(1).split('&')
  url.search = parameters.filter((parameter) => !isUtm(parameter)).join('&')
  return { destination_url: url.href, ...utm }
}

/** Moves the UTM values of a request's destination into its UTM fields, except into fields that have a value. */
export function splitUtm<Request extends { destination_url: string } & UtmValues>(
  request: Request,
): Request {
  const fieldValues = someFields(UTM_PARAMETERS, (name) => request[name] || undefined)
  return { ...request, ...withoutUtm(request.destination_url), ...fieldValues }
}

export function editedDestination(link: ListedLink, changes: UpdateRequest): string {
  const { destination_url = link.destination_url, utm_analytics_enabled } = changes
  const utm = eachField(UTM_PARAMETERS, (name) => changes[name] ?? link[name])
  const { destination_url: rest, ...values } = splitUtm({ destination_url, ...utm })
  return effectiveDestination(rest, utm_analytics_enabled === false ? {} : values)
}
