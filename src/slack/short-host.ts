import type { DomainRecord } from '../workspaces/connection.ts'

/** Whether a URL is on a domain, as its short URLs are. A domain's hostname may carry a port. */
export function isOnDomain(url: URL, { domain_name: name }: DomainRecord): boolean {
  const domain = URL.parse(`http://${name}`)
  if (!domain) return false
  return domain.port ? url.host === domain.host : url.hostname === domain.hostname
}
