import type { Database } from '../database/database.ts'
import type { WorkspaceConnectionsTable } from '../database/schema.ts'
import {
  keptConnection,
  type Access,
  type Connection,
  type DomainRecord,
  type KeptConnection,
  type Standing,
  type StoredConnection,
} from './connection.ts'
import { forgetWorkspace } from './forget.ts'
import type { Keyring } from './keyring.ts'
import { resealTable } from './reseal.ts'

/** A Slack workspace: its id (`workspaceId`), and its name where Slack sent one. */
export interface Workspace {
  id: string
  name?: string | undefined
}

type Row = WorkspaceConnectionsTable

interface Keeping {
  row: Row
  /** Whether it counts more than a row that is there. */
  replace: boolean
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
  /** How the workspace stands, and since whom. @throws as `connection` does */
  standing(workspace: Workspace): Promise<Standing>
  /**
   * Puts these domain records in place of those that are kept.
   *
   * @returns false, and changes nothing, where no connection is kept
   * @throws KeyringError when the kept one can't be opened
   */
  setDomains(
    workspaceId: string,
    domains: readonly [DomainRecord, ...DomainRecord[]],
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
  const { db } = database
  const provisioning = new Map<string, Promise<Connection | undefined>>()
  /** Where one bot token is configured there is no installation: who took the app out stands here. */
  const forgotten = new Set<string>()

  const rowFor = (id: string): Promise<Row | undefined> =>
    db
      .selectFrom('workspace_connections')
      .selectAll()
      .where('workspace_id', '=', id)
      .executeTakeFirst()

  function open({ workspace_id: id, sealed }: Row): KeptConnection {
    return keptConnection.parse(JSON.parse(keyring.open(sealed, purpose(id)).toString('utf8')))
  }

  const seal = (id: string, kept: KeptConnection): Buffer =>
    keyring.seal(Buffer.from(JSON.stringify(keptConnection.parse(kept))), purpose(id))

  async function find(id: string): Promise<KeptConnection | undefined> {
    const row = await rowFor(id)
    return row && open(row)
  }

  function rowOf(id: string, kept: KeptConnection, userId: string | null): Row {
    return {
      workspace_id: id,
      sealed: seal(id, kept),
      connected_by: userId,
      connected_at: now(),
    }
  }

  async function insert({ row, replace }: Keeping, into: Pick<typeof db, 'insertInto'>) {
    await into
      .insertInto('workspace_connections')
      .values(row)
      .onConflict((conflict) => {
        const taken = conflict.column('workspace_id')
        return replace ? taken.doUpdateSet(row) : taken.doNothing()
      })
      .execute()
    return true
  }

  /** @returns false, and keeps nothing, where the app is not installed any more */
  async function keep(keeping: Keeping): Promise<boolean> {
    if (!installedByOAuth) return insert(keeping, db)
    const id = keeping.row.workspace_id
    return db.transaction().execute(async (transaction) => {
      // Changes nothing, and so makes an uninstalling of this moment wait for the end of this.
      const { numUpdatedRows } = await transaction
        .updateTable('installations')
        .set({ workspace_id: id })
        .where('workspace_id', '=', id)
        .executeTakeFirst()
      return numUpdatedRows > 0n && insert(keeping, transaction)
    })
  }

  /** Another process may do the same at this moment: the row that comes first counts. */
  async function provisionFor(
    workspace: Workspace,
    make: (workspace: Workspace) => Promise<Access>,
  ): Promise<Connection | undefined> {
    const since = await find(workspace.id)
    if (since) return connectedOnly(since)
    const made: StoredConnection = { ...(await make(workspace)), source: 'provisioned' }
    await keep({ row: rowOf(workspace.id, made, null), replace: false })
    return connectedOnly(await find(workspace.id))
  }

  async function connection(workspace: Workspace): Promise<Connection | undefined> {
    const kept = await find(workspace.id)
    if (kept) return connectedOnly(kept)
    if (!provision || forgotten.has(workspace.id))
      return fallback && { ...fallback, source: 'configured' }
    const underWay = provisioning.get(workspace.id)
    if (underWay) return underWay
    const started = provisionFor(workspace, provision).finally(() =>
      provisioning.delete(workspace.id),
    )
    provisioning.set(workspace.id, started)
    return started
  }

  return {
    connection,

    async connect(id, { apiKey, domains }, userId) {
      const row = rowOf(id, { apiKey, domains, source: 'connected' }, userId)
      const kept = await keep({ row, replace: true })
      if (!kept) throw new Error('the app is not installed in this workspace any more')
    },

    async standing(workspace) {
      const row = await rowFor(workspace.id)
      if (row && open(row).source === 'disconnected') {
        const [by, automatic] = [row.connected_by ?? undefined, Boolean(provision ?? fallback)]
        return { state: 'disconnected', by, since: row.connected_at, automatic }
      }
      const found = await connection(workspace)
      if (!found) return { state: 'never_connected' }
      if (!row) return { state: 'connected', connection: found }
      const by = row.connected_by ?? undefined
      return { state: 'connected', connection: found, by, since: row.connected_at }
    },

    async setDomains(id, domains) {
      const row = await rowFor(id)
      const kept = row && connectedOnly(open(row))
      if (!kept) return false
      const { numUpdatedRows } = await db
        .updateTable('workspace_connections')
        .set({ sealed: seal(id, { ...kept, domains: [...domains] }) })
        .where('workspace_id', '=', id)
        // Not over what somebody has connected in the meantime: their key, their domains.
        .where('sealed', '=', row.sealed)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async disconnect(id, userId) {
      await keep({ row: rowOf(id, { source: 'disconnected' }, userId), replace: true })
    },

    async connectAgain(id) {
      const row = await rowFor(id)
      if (!row || open(row).source !== 'disconnected') return
      await db
        .deleteFrom('workspace_connections')
        .where('workspace_id', '=', id)
        .where('sealed', '=', row.sealed)
        .execute()
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

/** A row sealed for one workspace can't be opened for another. */
function purpose(workspaceId: string): string {
  return `connection of ${workspaceId}`
}
