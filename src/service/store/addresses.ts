import type { LinksTable } from '../../database/links-table.ts'
import type { Db } from '../../database/schema.ts'
import { isLoopbackHostname } from '../../http/public-hostname.ts'

/** Stored as the hostname of the built-in domain record. Its real hostname is that of SERVICE_PUBLIC_URL. */
export const BUILT_IN_HOSTNAME = ''

const EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
}

/** Builds and recognizes the service's URLs. They depend on SERVICE_PUBLIC_URL and on the hosts that it had earlier. */
export interface Addresses {
  origin: string
  secure: boolean
  /** False if requests to the service travel through a network without encryption. */
  isConfidential: boolean
  domainName(hostname: string): string
  shortUrl(link: Pick<LinksTable, 'hostname' | 'back_half'>): string
  /** Changes with the link's revision, because browsers keep images. */
  previewImageUrl(link: Pick<LinksTable, 'id' | 'revision'>, type: string): string
  isBuiltIn(hostname: string): boolean
  isDashboardHost(hostname: string): boolean
  /** True if a link to this URL could redirect in a circle. */
  isOwnUrl(url: URL): boolean
  /** Returns the stored hostnames for a request's `Host`. On a local service, any `Host` has the built-in links. */
  hostnamesFor(requestHostname: string): string[]
}

export function createAddresses(
  publicUrl: string,
  earlierHosts: readonly string[] = [],
): Addresses {
  const base = new URL(publicUrl)
  const earlier = new Set(earlierHosts.map((host) => new URL(`http://${host}`).hostname))
  const { origin } = base
  const builtIn = normalizeHostname(base.hostname)
  const isLocal = isLoopbackHostname(builtIn)
  const isBuiltInName = (name: string): boolean => name === builtIn || earlier.has(name)
  return {
    origin,
    secure: base.protocol === 'https:',
    isConfidential: base.protocol === 'https:' || isLocal,
    domainName: (hostname) => (hostname === BUILT_IN_HOSTNAME ? base.host : hostname),
    shortUrl: ({ hostname, back_half }) =>
      `${hostname === BUILT_IN_HOSTNAME ? origin : `https://${hostname}`}/${back_half}`,
    previewImageUrl({ id, revision }, type) {
      const url = `${origin}/preview-images/${id}.${EXTENSIONS[type] ?? 'bin'}`
      return revision > 1 ? `${url}?v=${revision}` : url
    },
    isBuiltIn: (hostname) => isBuiltInName(normalizeHostname(hostname)),
    isDashboardHost(hostname) {
      const name = normalizeHostname(hostname)
      return name === builtIn || isLoopbackHostname(name)
    },
    isOwnUrl(url) {
      const hostname = normalizeHostname(url.hostname)
      const isCurrent = hostname === builtIn || (isLocal && isLoopbackHostname(hostname))
      if (isCurrent && url.port === base.port) return true
      return earlierHosts.includes(url.port ? `${hostname}:${url.port}` : hostname)
    },
    hostnamesFor(requestHostname) {
      // A missing Host is replaced by “.”, which no link can have, because '' is stored for the built-in record.
      const hostname = normalizeHostname(requestHostname) || '.'
      if (isLocal) return [hostname, BUILT_IN_HOSTNAME]
      return [isBuiltInName(hostname) ? BUILT_IN_HOSTNAME : hostname]
    },
  }
}

/** `Go.Example.com.` → `go.example.com`. A fully qualified name ends in a dot, and some programs accept several. */
export function normalizeHostname(hostname: string): string {
  // Without the lookbehind, the time would grow with the square of the number of dots.
  return hostname.toLowerCase().replace(/(?<!\.)\.+$/, '')
}

const MAX_HOSTS = 100

/** Reads all hosts (with port) that SERVICE_PUBLIC_URL has had, newest first. Short URLs on all of them still work. */
export async function readPublicHosts(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('public_hosts')
    .select('host')
    .orderBy('used_at', 'desc')
    .orderBy('host')
    .limit(MAX_HOSTS)
    .execute()
  return rows.map(({ host }) => host)
}

export async function rememberPublicHost(
  db: Db,
  host: string,
  now: number,
): Promise<[current: string, ...earlier: string[]]> {
  const row = { host, used_at: now }
  await db
    .insertInto('public_hosts')
    .values(row)
    .onConflict((conflict) => conflict.column('host').doUpdateSet(row))
    .execute()
  const hosts = await readPublicHosts(db)
  return [host, ...hosts.filter((other) => other !== host)]
}
