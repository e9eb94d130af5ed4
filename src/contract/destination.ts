import { UTM_PARAMETERS, type UtmParameter } from './link-fields.ts'

/**
 * Returns the URL that a link redirects to: the normalized destination with the UTM parameters added. A parameter that
 * the destination already has keeps its value. The rest isn't encoded again, because a signature might cover its bytes.
 */
export function effectiveDestination(
  destination: string,
  utm: Partial<Record<UtmParameter, string | null | undefined>>,
): string {
  const url = new URL(destination)
  const added = new URLSearchParams()
  for (const name of UTM_PARAMETERS) {
    const value = utm[name]
    if (value && !url.searchParams.has(name)) added.append(name, value)
  }
  if (added.size > 0) {
    const query = url.search.slice(1)
    url.search = query ? `${query}&${added.toString()}` : added.toString()
  }
  return url.href
}
