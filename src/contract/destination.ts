import { UTM_PARAMETERS, type UtmParameter } from './link-fields.ts'

/** Returns the URL that a link redirects to. A UTM parameter that the destination already has keeps its value. */
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
  // The existing query isn't encoded again, because a signature might cover its bytes.
  if (added.size > 0) url.search += `${url.search ? '&' : ''}${added.toString()}`
  return url.href
}
