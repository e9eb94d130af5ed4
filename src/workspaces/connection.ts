import { z } from 'zod'
import type { Db } from '../database/schema.ts'
import type { Keyring } from './keyring.ts'
import { createSecrets } from './sealed.ts'

export const domainRecord = z.object({ name: z.string().min(1), domain_name: z.string().min(1) })

/** A domain of the link service: its record's ID (`name`) and its hostname (spec §2.2). */
export type DomainRecord = z.infer<typeof domainRecord>

export type Domains = readonly [DomainRecord, ...DomainRecord[]]

export function isOnDomain(url: URL, { domain_name: name }: DomainRecord): boolean {
  const domain = URL.parse(`http://${name}`)
  if (!domain) return false
  return domain.port ? url.host === domain.host : url.hostname === domain.hostname
}

const serviceCredentials = z.object({
  apiKey: z.string().min(1),
  domains: z.array(domainRecord).min(1),
})

export type ServiceCredentials = z.infer<typeof serviceCredentials>

const storedConnection = serviceCredentials.extend({ source: z.enum(['connected', 'provisioned']) })

export type StoredConnection = z.infer<typeof storedConnection>

// After an admin has disconnected the workspace, no key is provisioned, and the deployment's own key is not used.
const connectionRecord = z.discriminatedUnion('source', [
  storedConnection,
  z.object({ source: z.literal('disconnected') }),
])

export type ConnectionRecord = z.infer<typeof connectionRecord>

export function connectionSecrets(db: Db, keyring: Keyring) {
  return createSecrets(db, keyring, {
    schema: connectionRecord,
    table: 'workspace_connections',
    purpose: 'connection',
    storedAt: 'connected_at',
  })
}

export interface Connection extends ServiceCredentials {
  source: StoredConnection['source'] | 'configured'
}

export type ConnectionStatus =
  | { state: 'connected'; connection: Connection; by?: string | undefined; since?: number }
  | { state: 'disconnected'; by: string | undefined; since: number }
  | { state: 'never_connected' }
  | { state: 'unreadable' }

export class NotConnectedError extends Error {
  constructor() {
    super('the workspace is not connected to a link service')
    this.name = 'NotConnectedError'
  }
}

/**
 * Builds a test of whether a short URL is on a domain record. If the deployment's configuration sets the key, every URL
 * passes, because the configuration contains the record's ID (`domain`) but not its hostname.
 */
export function hostnameTest(
  { source, domains }: Connection,
  domain: string,
): (shortUrl: URL) => boolean {
  const record = domains.find(({ name }) => name === domain)
  return (url) => source === 'configured' || (record !== undefined && isOnDomain(url, record))
}
