import type { LinksTable } from '../database/schema.ts'

/** Stands for the built-in domain record's hostname, which follows SERVICE_PUBLIC_URL. */
export const BUILT_IN_HOSTNAME = ''

/** File name extensions of stored images, by media type. */
const EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
}

/** How the service's addresses are made and read, from where the world reaches it. */
export interface Addresses {
  /** Where the world reaches the service, without a slash at the end. */
  root: string
  /** Whether that is by https. */
  secure: boolean
  /** The domain_name of a domain record, as answers show it. */
  domainName(hostname: string): string
  shortUrl(link: Pick<LinksTable, 'hostname' | 'back_half'>): string
  previewImageUrl(linkId: string, mediaType: string): string
  /** Whether a hostname (without a port) is the built-in record's. */
  isBuiltIn(hostname: string): boolean
  /** Whether a URL leads to the built-in domain: a link to it could go round in circles. */
  leadsHere(url: URL): boolean
  /**
   * The stored hostnames whose links a request may follow, by its Host (without a port). On a
   * loopback address every Host counts as the built-in one, so that a local trial needs no DNS.
   */
  hostnamesOf(requestHostname: string): string[]
}

/** @param publicUrl SERVICE_PUBLIC_URL; it may carry a port */
export function createAddresses(publicUrl: string): Addresses {
  const base = new URL(publicUrl)
  const root = base.origin
  const builtIn = bareHostname(base.hostname)
  const local = isLoopback(builtIn)
  return {
    root,
    secure: base.protocol === 'https:',
    domainName: (hostname) => (hostname === BUILT_IN_HOSTNAME ? base.host : hostname),
    shortUrl: ({ hostname, back_half: backHalf }) =>
      hostname === BUILT_IN_HOSTNAME ? `${root}/${backHalf}` : `https://${hostname}/${backHalf}`,
    previewImageUrl: (linkId, mediaType) =>
      `${root}/preview-images/${linkId}.${EXTENSIONS[mediaType] ?? 'bin'}`,
    isBuiltIn: (hostname) => bareHostname(hostname) === builtIn,
    leadsHere(url) {
      const hostname = bareHostname(url.hostname)
      return url.port === base.port && (hostname === builtIn || (local && isLoopback(hostname)))
    },
    hostnamesOf(requestHostname) {
      // Without a Host there is none that a link could be on.
      const hostname = bareHostname(requestHostname) || '.'
      if (local) return [hostname, BUILT_IN_HOSTNAME]
      return [hostname === builtIn ? BUILT_IN_HOSTNAME : hostname]
    },
  }
}

/** Lower case, without the dot that a fully qualified name may end in. */
export function bareHostname(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '')
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  )
}
