import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { isPublicHostname } from './slack/public-hostname.ts'

/** So many domains an app may name at Slack. */
export const MAX_UNFURL_DOMAINS = 5

/** Slack's own length for a domain in a manifest. */
const publicHostname = z.string().max(255).refine(isPublicHostname)

/** Hostnames, comma-separated, as Slack takes them: lower case, and other scripts as `xn--…`. */
export const unfurlDomainList = z
  .string()
  .transform((text) => {
    const names = text.split(',').map((name) => name.trim())
    return [...new Set(names.map((name) => domainToASCII(name) || name))]
  })
  .pipe(z.array(publicHostname).max(MAX_UNFURL_DOMAINS))

/** The hostname of a URL, where Slack and other people reach it, and so can have its links unfurled. */
export function unfurlDomainOf(url: string): string | undefined {
  return publicHostname.safeParse(URL.parse(url)?.hostname).data
}

/**
 * The playground's: the service's own hostname as well, public or not, since there the people, the
 * service and what stands in for Slack are on one machine.
 */
export function playgroundUnfurlDomains({
  unfurlDomains,
  servicePublicUrl,
}: {
  unfurlDomains: readonly string[]
  servicePublicUrl: string
}): string[] {
  const own = new URL(servicePublicUrl).hostname
  // What a manifest takes for a hostname; an IPv6 address is none.
  const named = /^(?![-.])[-a-z0-9.]+[a-z0-9]$/.test(own) ? [own] : []
  return [...new Set([...named, ...unfurlDomains])].slice(0, MAX_UNFURL_DOMAINS)
}
