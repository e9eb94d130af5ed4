import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../database/database.ts'
import type {
  Access,
  Connection,
  DomainRecord,
  KeptConnection,
  Standing,
  StoredConnection,
} from './connection.ts'
import { createConnectionStore, purpose } from './connection-store.ts'
import { forgetWorkspace } from './forget.ts'
import type { Keyring } from './keyring.ts'
import { resealTable } from './reseal.ts'

/** A Slack workspace: its id (`workspaceId`), and its name where Slack sent one. */
export interface Workspace {
  id: string
  name?: string | undefined
}

/** Domain records, and since when the connection is kept that they belong to, as in the tables. */
export interface KeptDomains {
  domains: readonly DomainRecord[]
  since: number | undefined
}

/** The connections of Slack workspaces to the link service. */
export interface Workspaces {
  /** Whether a workspace that nobody connected has a connection all the same. */
  readonly connectsByItself: boolean
  /**
   * The workspace's connection: the one that is kept, else one that is provisioned now and kept,
   * else the deployment's own. Undefined where there is none of them.
   *
   * @throws KeyringError when the kept one can't be opened; what `provision` throws
   */
  connection(workspace: Workspace): Promise<Connection | undefined>
  /** Keeps what an admin entered, in place of what there was. */
  connect(workspaceId: string, access: Access, userId: string): Promise<void>
  /** How the workspace stands, and since whom. @throws as `connection` does */
  standing(workspace: Workspace): Promise<Standing>
  /**
   * Puts these domain records in place of those that are kept.
   *
   * @param seen what the admin saw who changes them
   * @returns false, and changes nothing, where something else is kept by then
   * @throws KeyringError when the kept one can't be opened
   */
  setDomains(
    workspaceId: string,
    domains: readonly [DomainRecord, ...DomainRecord[]],
    seen: (kept: KeptDomains) => boolean,
  ): Promise<boolean>
  /** Deletes the key, and keeps that the workspace is to stay disconnected. */
  disconnect(workspaceId: string, userId: string): Promise<void>
  /** Ends a `disconnect`: the workspace has what one has that nobody has connected yet. */
  connectAgain(workspaceId: string): Promise<void>
  /**
   * Deletes everything that the app keeps of a workspace, once the app was taken out of it. What
   * was under way there keeps no connection any more.
   *
   * @param installedBefore milliseconds since 1970: a workspace in which the app was installed
   *   then or later is left alone
   */
  forget(workspaceId: string, installedBefore?: number): Promise<boolean>
  /**
   * Encrypts with the newest key what older ones sealed; run at every start. After it, an older
   * key may be taken out of the configuration.
   */
  reseal(): Promise<{ resealed: number; unreadable: number }>
}

/** Where connections are kept, and what stands in for one that is not there. */
export interface WorkspacesOptions {
  database: Database
  keyring: Keyring
  /** For workspaces without a connection of their own. */
  fallback?: Access | undefined
  /** Makes a key for a new workspace, at a link service of ours. */
  provision?: ((workspace: Workspace) => Promise<Access>) | undefined
  /** Whether workspaces install the app by themselves: only those that did are kept then. */
  installedByOAuth?: boolean | undefined
  /** Milliseconds since 1970. */
  now?: () => number
}

export function createWorkspaces({
  database,
  keyring,
  fallback,
  provision,
  installedByOAuth = false,
  now = Date.now,
}: WorkspacesOptions): Workspaces {
  const store = createConnectionStore({ database, keyring, installedByOAuth, now })
  const provisioning = new Map<string, Promise<Connection | undefined>>()
  /** Where one bot token is configured there is no installation: who took the app out stands here. */
  const forgotten = new Set<string>()

  /** Another process may do the same at this moment: the row that comes first counts. */
  async function provisionFor(
    workspace: Workspace,
    make: (workspace: Workspace) => Promise<Access>,
  ): Promise<Connection | undefined> {
    const since = await store.find(workspace.id)
    if (since) return connectedOnly(since.kept)
    const made: StoredConnection = { ...(await make(workspace)), source: 'provisioned' }
    await store.put(workspace.id, made, { by: null, replace: false })
    return connectedOnly((await store.find(workspace.id))?.kept)
  }

  async function connection(workspace: Workspace): Promise<Connection | undefined> {
    const row = await store.find(workspace.id)
    if (row) return connectedOnly(row.kept)
    if (!provision || forgotten.has(workspace.id)) {
      return fallback && { ...fallback, source: 'configured' }
    }
    const underWay = provisioning.get(workspace.id)
    if (underWay) return underWay
    const started = provisionFor(workspace, provision).finally(() =>
      provisioning.delete(workspace.id),
    )
    provisioning.set(workspace.id, started)
    return started
  }

  return {
    connectsByItself: Boolean(provision ?? fallback),
    connection,

    async connect(id, { apiKey, domains }, by) {
      const made: StoredConnection = { apiKey, domains, source: 'connected' }
      const kept = await store.put(id, made, { by, replace: true })
      if (!kept) throw new Error('the app is not installed in this workspace any more')
    },

    async standing(workspace) {
      const found = await connection(workspace)
      const row = await store.find(workspace.id)
      const since = row && { by: row.by ?? undefined, since: row.since }
      if (found) return { state: 'connected', connection: found, ...since }
      return since ? { state: 'disconnected', ...since } : { state: 'never_connected' }
    },

    async setDomains(id, domains, seen) {
      const row = await store.find(id)
      const kept = connectedOnly(row?.kept)
      if (!row || !kept) return false
      if (isDeepStrictEqual(kept.domains, domains)) return true
      if (!seen({ domains: kept.domains, since: row.since })) return false
      return store.change(id, row, { ...kept, domains: [...domains] })
    },

    async disconnect(id, by) {
      await store.put(id, { source: 'disconnected' }, { by, replace: true })
    },

    async connectAgain(id) {
      const row = await store.find(id)
      if (row?.kept.source === 'disconnected') await store.change(id, row, undefined)
    },

    async forget(id, installedBefore) {
      if (!installedByOAuth) forgotten.add(id)
      await provisioning.get(id)?.catch(() => undefined)
      return forgetWorkspace(database, id, installedBefore)
    },

    reseal: () => resealTable(database, keyring, 'workspace_connections', purpose),
  }
}

function connectedOnly(kept: KeptConnection | undefined): StoredConnection | undefined {
  return kept?.source === 'disconnected' ? undefined : kept
}
