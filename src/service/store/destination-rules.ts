import { hostNames, isAllowedHost } from '../../contract/allowed-hosts.ts'
import { formatNumber } from '../../web/numbers.ts'
import { normalizeHostname } from './addresses.ts'
import type { LinkContext } from './context.ts'
import { parseDestination, redirectUrl } from './destination.ts'
import { findByHostname } from './domains.ts'
import type { HostRule } from './scopes.ts'

/* The rules for where a link can lead. Each function returns an error message for the user, or undefined. */

export async function destinationError(
  { db, addresses, blocklist }: Pick<LinkContext, 'db' | 'addresses' | 'blocklist'>,
  text: string,
): Promise<string | undefined> {
  const url = parseDestination(text)
  if (typeof url === 'string') return url
  if (addresses.isOwnUrl(url) || (await findByHostname(db, normalizeHostname(url.hostname)))) {
    return 'This URL is on a short domain of this service. Use the page that it leads to.'
  }
  return blocklist.blocks(url.hostname)
    ? 'Links to this site are blocked on this service. Use another site.'
    : undefined
}

export function hostError(destination: string, rules: readonly HostRule[]): string | undefined {
  const broken = rules.find(({ hosts }) => !isAllowedHost(destination, hosts))
  if (!broken) return undefined
  const { holder, name, hosts } = broken
  const allowed = `${hostNames(hosts)} and ${hosts.length === 1 ? 'its' : 'their'} subdomains`
  return holder === 'key'
    ? `The API key “${name}” allows only links to ${allowed}. To allow other hostnames, ask the administrator of this link service.`
    : `The workspace “${name}” allows only links to ${allowed}. To allow other hostnames, ask an admin of the workspace.`
}

// The longest `Location` header in characters, because proxies such as nginx accept 4 KB for all headers of a response.
const MAX_REDIRECT_LENGTH = 3_700

export function redirectLengthError(link: Parameters<typeof redirectUrl>[0]): string | undefined {
  const { length } = redirectUrl(link)
  return length > MAX_REDIRECT_LENGTH
    ? `With its UTM parameters, this URL has ${formatNumber(length)} characters once it is encoded. Shorten the URL or the parameters to ${formatNumber(MAX_REDIRECT_LENGTH)} in total.`
    : undefined
}
