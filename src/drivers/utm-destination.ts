import { someFields, UTM_PARAMETERS, type UtmParameter } from '../contract/link-fields.ts'

type UtmValues = { [Name in UtmParameter]?: string | undefined }

/** For services without UTM fields: puts the values into the destination's query, in place of those that it has. */
export function withUtm(destination: string, utm: UtmValues): string {
  const given = UTM_PARAMETERS.filter((name) => utm[name])
  const url = URL.parse(destination)
  if (!url || given.length === 0) return destination
  const added = given.map((name) => `${name}=${encodeURIComponent(utm[name] ?? '')}`)
  url.search = [...partsBesides(url, given), ...added].join('&')
  return url.href
}

/** Takes the UTM values out of a destination, and leaves everything else as it is. */
export function withoutUtm(
  destination: string,
): { destination_url: string } & Partial<Record<UtmParameter, string>> {
  const url = URL.parse(destination)
  const utm = someFields(UTM_PARAMETERS, (name) => url?.searchParams.get(name) || undefined)
  if (!url || Object.keys(utm).length === 0) return { destination_url: destination }
  url.search = partsBesides(url, UTM_PARAMETERS).join('&')
  return { destination_url: url.href, ...utm }
}

/** A request whose UTM values are all in its fields. Those that are fields already take precedence. */
export function splitUtm<Request extends { destination_url: string } & UtmValues>(
  request: Request,
): Request {
  const typed = someFields(UTM_PARAMETERS, (name) => request[name] || undefined)
  return { ...request, ...withoutUtm(request.destination_url), ...typed }
}

function partsBesides({ search }: URL, names: readonly UtmParameter[]): string[] {
  const isNamed = (part: string): boolean =>
    new URLSearchParams(part).keys().some((name) => names.some((one) => one === name))
  return search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !isNamed(part))
}
