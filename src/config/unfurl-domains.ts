import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { isPublicHostname } from '../http/public-hostname.ts'

export const MAX_UNFURL_DOMAINS = 5

const publicHostname = z.string().max(255).refine(isPublicHostname)

/** If a message has a link to one of these hostnames, Slack asks the app for a preview card. */
export const unfurlDomainList = z
  .string()
  .transform((text) => {
    const names = text.split(',').map((name) => name.trim())
    return [...new Set(names.map((name) => domainToASCII(name) || name))] // Lower case and Punycode.
  })
  .pipe(z.array(publicHostname).max(MAX_UNFURL_DOMAINS))

/** The default is the hostname of our own link service. With another link service, there is no default. */
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

/** Adds the link service's own hosts, which need not be public: the simulated Slack runs on the same machine. */
export function playgroundUnfurlDomains(configured: readonly string[], hosts: readonly string[]) {
  const hostnames = hosts.map((host) => new URL(`http://${host}`).hostname)
  // A manifest accepts no IPv6 address as a domain.
  const accepted = hostnames.filter((name) => /^(?![-.])[-a-z0-9.]+[a-z0-9]$/.test(name))
  return [...new Set([...accepted, ...configured])].slice(0, MAX_UNFURL_DOMAINS)
}
