import { z } from 'zod'

const domainRecord = z.object({ name: z.string().min(1), domain_name: z.string().min(1) })

/** A domain of the link service: its record's id (`name`) and its hostname (spec §2.2). */
export type DomainRecord = z.infer<typeof domainRecord>

const access = z.object({
  apiKey: z.string().min(1),
  domains: z.array(domainRecord).min(1),
})

/** What it takes to use the link service: a key, and at least one domain, the default first. */
export type Access = z.infer<typeof access>

const storedConnection = access.extend({ source: z.enum(['connected', 'provisioned']) })

/** What is kept of a workspace's connection, sealed. */
export type StoredConnection = z.infer<typeof storedConnection>

/**
 * What a row holds: a connection, or that an admin ended it. Nothing is provisioned over that, and
 * the deployment's own key is not used either, until somebody connects the workspace again.
 */
export const keptConnection = z.discriminatedUnion('source', [
  storedConnection,
  z.object({ source: z.literal('disconnected') }),
])

export type KeptConnection = z.infer<typeof keptConnection>

/** A workspace's connection to the link service. */
export interface Connection extends Access {
  /** Entered by an admin, made by our own service for a new workspace, or the deployment's. */
  source: StoredConnection['source'] | 'configured'
}

/** How a workspace stands with the link service, for its admins. Times as in the tables. */
export type Standing =
  | { state: 'connected'; connection: Connection; by?: string | undefined; since?: number }
  | { state: 'disconnected'; by: string | undefined; since: number }
  | { state: 'never_connected' }
