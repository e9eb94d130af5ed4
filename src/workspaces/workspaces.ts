import type { Database } from '../database/database.ts'
import {
  storedConnection,
  type Access,
  type Connection,
  type StoredConnection,
} from './connection.ts'
import type { Keyring } from './keyring.ts'
import { KeyringError } from './keyring-error.ts'

/** A Slack workspace: its id (`workspaceId`), and its name where Slack sent one. */
export interface Workspace {
  id: string
  name?: string | undefined
}

/** The connections of Slack workspaces to the link service. */
export interface Workspaces {
  /**
   * The workspace's connection: the one that is kept, else one that is provisioned now and kept,
   * else the deployment's own. Undefined where there is none of them.
   *
   * @throws KeyringError when the kept one can't be opened; what `provision` throws
   */
  connection(workspace: Workspace): Promise<Connection | undefined>
  /** Keeps what an admin entered, in place of what there was. */
  connect(workspaceId: string, access: Access, userId: string): Promise<void>
  /** Forgets the workspace's connection. */
  disconnect(workspaceId: string): Promise<void>
  /**
   * Encrypts with the newest key what older ones sealed; run at every start. After it, an older
   * key may be taken out of the configuration.
   */
  reseal(): Promise<{ resealed: number; unreadable: number }>
}

export interface WorkspacesOptions {
  database: Database
  keyring: Keyring
  /** For workspaces without a connection of their own. */
  fallback?: Access | undefined
  /** Makes a key for a new workspace, at a link service of ours. */
  provision?: ((workspace: Workspace) => Promise<Access>) | undefined
  /** Milliseconds since 1970. */
  now?: () => number
}

export function createWorkspaces({
  database: { db },
  keyring,
  fallback,
  provision,
  now = Date.now,
}: WorkspacesOptions): Workspaces {
  const provisioning = new Map<string, Promise<Connection>>()

  async function find(id: string): Promise<Connection | undefined> {
    const row = await db
      .selectFrom('workspace_connections')
      .select('sealed')
      .where('workspace_id', '=', id)
      .executeTakeFirst()
    if (!row) return undefined
    const json = keyring.open(row.sealed, purpose(id)).toString('utf8')
    return storedConnection.parse(JSON.parse(json))
  }

  function rowOf(id: string, connection: StoredConnection, userId: string | null) {
    const json = JSON.stringify(storedConnection.parse(connection))
    return {
      workspace_id: id,
      sealed: keyring.seal(Buffer.from(json), purpose(id)),
      connected_by: userId,
      connected_at: now(),
    }
  }

  /** Another process may do the same at this moment: the row that comes first counts. */
  async function provisionFor(
    workspace: Workspace,
    make: (workspace: Workspace) => Promise<Access>,
  ): Promise<Connection> {
    const since = await find(workspace.id)
    if (since) return since
    const made: StoredConnection = { ...(await make(workspace)), source: 'provisioned' }
    await db
      .insertInto('workspace_connections')
      .values(rowOf(workspace.id, made, null))
      .onConflict((conflict) => conflict.column('workspace_id').doNothing())
      .execute()
    return (await find(workspace.id)) ?? made
  }

  return {
    async connection(workspace) {
      const stored = await find(workspace.id)
      if (stored) return stored
      if (!provision) return fallback && { ...fallback, source: 'configured' }
      const underWay = provisioning.get(workspace.id)
      if (underWay) return underWay
      const started = provisionFor(workspace, provision).finally(() =>
        provisioning.delete(workspace.id),
      )
      provisioning.set(workspace.id, started)
      return started
    },

    async connect(id, { apiKey, domains }, userId) {
      const row = rowOf(id, { apiKey, domains, source: 'connected' }, userId)
      await db
        .insertInto('workspace_connections')
        .values(row)
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
        .execute()
    },

    async disconnect(id) {
      await db.deleteFrom('workspace_connections').where('workspace_id', '=', id).execute()
    },

    async reseal() {
      const rows = await db
        .selectFrom('workspace_connections')
        .select(['workspace_id', 'sealed'])
        .execute()
      const outdated = rows.filter(({ sealed }) => keyring.isOutdated(sealed))
      let resealed = 0
      for (const { workspace_id: id, sealed } of outdated) {
        try {
          const renewed = keyring.seal(keyring.open(sealed, purpose(id)), purpose(id))
          // Not over what somebody has connected in the meantime.
          await db
            .updateTable('workspace_connections')
            .set({ sealed: renewed })
            .where('workspace_id', '=', id)
            .where('sealed', '=', sealed)
            .execute()
          resealed++
        } catch (error) {
          if (!(error instanceof KeyringError)) throw error
        }
      }
      return { resealed, unreadable: outdated.length - resealed }
    },
  }
}

/** A row sealed for one workspace can't be opened for another. */
function purpose(workspaceId: string): string {
  return `connection of ${workspaceId}`
}
