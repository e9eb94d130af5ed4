import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { isPublicHostname } from '../http/public-hostname.ts'

export const MAX_UNFURL_DOMAINS = 5

const publicHostname = z.string().max(255).refine(isPublicHostname)

/**
 * Parses UNFURL_DOMAINS, the hostnames for whose links Slack asks the app for a card. They are separated by commas, and
 * normalized to lower case and Punycode, as Slack expects.
 */
export const unfurlDomainList = z
  .string()
  .transform((text) => {
    const names = text.split(',').map((name) => name.trim())
    return [...new Set(names.map((name) => domainToASCII(name) || name))]
  })
  .pipe(z.array(publicHostname).max(MAX_UNFURL_DOMAINS))

/**
 * Returns UNFURL_DOMAINS, or by default the hostname of our own link service. The hostnames of another service are
 * unknown.
 */
export function unfurlDomains(values: {
  UNFURL_DOMAINS?: readonly string[] | undefined
  SHORTLINK_BASE_URL?: string | undefined
  SERVICE_PUBLIC_URL?: string | undefined
}): readonly string[] {
  if (values.UNFURL_DOMAINS) return values.UNFURL_DOMAINS
  if (values.SHORTLINK_BASE_URL || !values.SERVICE_PUBLIC_URL) return []
  const hostname = publicHostname.safeParse(URL.parse(values.SERVICE_PUBLIC_URL)?.hostname)
  return hostname.success ? [hostname.data] : []
}

/**
 * Adds the link service's own hosts, so that its links get cards in the playground. They need not be public there,
 * because everything is on one machine.
 */
export function playgroundUnfurlDomains(
  configured: readonly string[],
  hosts: readonly string[],
): string[] {
  const hostnames = hosts.map((host) => new URL(`http://${host}`).hostname)
  // A manifest accepts no IPv6 address as a domain.
  const accepted = hostnames.filter((name) => /^(?![-.])[-a-z0-9.]+[a-z0-9]$/.test(name))
  return [...new Set([...accepted, ...configured])].slice(0, MAX_UNFURL_DOMAINS)
}
