import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { isPublicHostname } from '../http/public-hostname.ts'

export const MAX_UNFURL_DOMAINS = 5

const publicHostname = z.string().max(255).refine(isPublicHostname)

/** Comma-separated hostnames, normalized as Slack expects them: in lower case and in Punycode. */
export const unfurlDomainList = z
  .string()
  .transform((text) => {
    const names = text.split(',').map((name) => name.trim())
    return [...new Set(names.map((name) => domainToASCII(name) || name))]
  })
  .pipe(z.array(publicHostname).max(MAX_UNFURL_DOMAINS))

/** UNFURL_DOMAINS, or else the hostname of our own link service. The domains of another service are unknown. */
export function unfurlDomains(values: {
  UNFURL_DOMAINS?: readonly string[] | undefined
  SHORTLINK_BASE_URL?: string | undefined
  SERVICE_PUBLIC_URL?: string | undefined
}): readonly string[] {
  if (values.UNFURL_DOMAINS) return values.UNFURL_DOMAINS
  if (values.SHORTLINK_BASE_URL || !values.SERVICE_PUBLIC_URL) return []
  const own = publicHostname.safeParse(URL.parse(values.SERVICE_PUBLIC_URL)?.hostname)
  return own.success ? [own.data] : []
}

/** In the playground, everything is on one machine, so links on the service's own hostname get cards even if it isn't public. */
export function playgroundUnfurlDomains(
  configured: readonly string[],
  hosts: readonly string[],
): string[] {
  const own = hosts.map((host) => new URL(`http://${host}`).hostname)
  // A manifest accepts no IPv6 address as a domain.
  const accepted = own.filter((name) => /^(?![-.])[-a-z0-9.]+[a-z0-9]$/.test(name))
  return [...new Set([...accepted, ...configured])].slice(0, MAX_UNFURL_DOMAINS)
}
