import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'
import type { ConnectionRecord } from './connection.ts'
import { openConnection } from './connection-store.ts'
import { openInstallation, type Installation } from './installations.ts'
import { KeyringError, type Keyring } from './keyring.ts'

/** The rows of a table that holds secrets, the newest first. */
export interface StoredSecrets<T> {
  readable: { workspaceId: string; content: T }[]
  /** How many rows no key can open. */
  unreadable: number
}

/** Opens the stored connections to the link service. Unlike the store, it reports unreadable rows. */
export async function readAllConnections(
  db: Kysely<Schema>,
  keyring: Keyring,
): Promise<StoredSecrets<ConnectionRecord>> {
  const rows = await db
    .selectFrom('workspace_connections')
    .select(['workspace_id', 'sealed'])
    .orderBy('connected_at', 'desc')
    .execute()
  return openAll(rows, (id, sealed) => openConnection(keyring, id, sealed))
}

/** Opens the stored installations. Unlike the store, it reports unreadable rows. */
export async function readAllInstallations(
  db: Kysely<Schema>,
  keyring: Keyring,
): Promise<StoredSecrets<Installation>> {
  const rows = await db
    .selectFrom('installations')
    .select(['workspace_id', 'sealed'])
    .orderBy('installed_at', 'desc')
    .execute()
  return openAll(rows, (id, sealed) => openInstallation(keyring, id, sealed))
}

function openAll<T>(
  rows: readonly { workspace_id: string; sealed: Uint8Array }[],
  open: (workspaceId: string, sealed: Uint8Array) => T,
): StoredSecrets<T> {
  const readable: { workspaceId: string; content: T }[] = []
  for (const { workspace_id: workspaceId, sealed } of rows) {
    try {
      readable.push({ workspaceId, content: open(workspaceId, sealed) })
    } catch (error) {
      if (!(error instanceof KeyringError)) throw error
    }
  }
  return { readable, unreadable: rows.length - readable.length }
}
