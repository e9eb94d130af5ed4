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
