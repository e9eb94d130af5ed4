import { isDeepStrictEqual } from 'node:util'
import {
  connectionSecrets,
  type Connection,
  type ConnectionRecord,
  type ConnectionStatus,
  type DomainRecord,
  type Domains,
  type ServiceCredentials,
  type StoredConnection,
} from './connection.ts'
import { forgetPerson, forgetWorkspace, type Withdraw } from './forget.ts'
import { NotInstalledError } from './installations.ts'
import { KeyringError, type Keyring } from './keyring.ts'
import type { Workspace } from './workspace.ts'
import { writeIfInstalled, type StoreOptions } from './write-if-installed.ts'

export interface WorkspacesOptions extends StoreOptions {
  keyring: Keyring
  /** The deployment's own key, for workspaces without a connection. */
  fallback?: ServiceCredentials | undefined
  provision?: ((workspace: Workspace) => Promise<ServiceCredentials>) | undefined
  withdraw?: Withdraw | undefined
  /** The hosts that our own link service has had. The first, which is current, replaces the others in records. */
  serviceHosts?: readonly string[]
}

export interface Workspaces {
  connectsAutomatically: boolean
  /**
   * Returns the stored connection. If none is stored, creates one with `provision`, or returns `fallback`.
   * @returns undefined if the workspace is not connected
   * @throws KeyringError if the stored connection can't be decrypted; the errors of `provision`
   */
  connection(
    workspace: Workspace,
    options?: { mayProvision?: boolean },
  ): Promise<Connection | undefined>
  connect(id: string, credentials: ServiceCredentials, by: string): Promise<void>
  status(workspace: Workspace): Promise<ConnectionStatus>
  /**
   * Replaces the domain records (optimistic locking).
   * @param isUnchanged whether the stored records are still those that the admin saw in the form
   * @returns false, and changes nothing, if the records have changed or the workspace is not connected
   */
  setDomains(
    id: string,
    domains: Domains,
    isUnchanged: (stored: readonly DomainRecord[], since: number) => boolean,
  ): Promise<boolean>
  disconnect(id: string, by: string): Promise<void>
  /** Deletes the connection, so that the next request gets a new key. A readable key of an admin's own stays. */
  connectAgain(id: string, by: string): Promise<void>
  /** Requests in flight store no new connection. @returns false if the app was installed at `installedBefore` or later */
  forget(id: string, installedBefore?: number): Promise<boolean>
  forgetPerson(id: string, userId: string): Promise<number>
}

export function createWorkspaces({
  keyring,
  fallback,
  provision,
  withdraw,
  serviceHosts = [],
  now = Date.now,
  ...options
}: WorkspacesOptions): Workspaces {
  const { db } = options.database
  const secrets = connectionSecrets(db, keyring)
  const provisioning = new Map<string, Promise<Connection | undefined>>()
  // Workspaces that uninstalled the app. With one configured bot token, no row of `installations` says so.
  const forgotten = new Set<string>()

  async function find(id: string) {
    const row = await db
      .selectFrom('workspace_connections')
      .selectAll()
      .where('workspace_id', '=', id)
      .executeTakeFirst()
    return row && { ...row, record: secrets.open(id, row.sealed) }
  }

  /** @returns false, and stores nothing, if the app is not installed anymore */
  async function put(
    id: string,
    record: ConnectionRecord,
    connectedBy: string | null,
  ): Promise<boolean> {
    const row = {
      workspace_id: id,
      sealed: secrets.seal(id, record),
      connected_by: connectedBy,
      connected_at: now(),
      key_notice_after: null,
    }
    const statement = db
      .insertInto('workspace_connections')
      .values(row)
      .onConflict((conflict) => {
        const existing = conflict.column('workspace_id')
        // A provisioned key replaces no connection.
        return record.source === 'provisioned' ? existing.doNothing() : existing.doUpdateSet(row)
      })
    return (await writeIfInstalled(options, id, statement)) !== undefined
  }

  // Creates a connection with a new key. If two processes do that, both use the connection that is stored first.
  async function provisionFor(
    workspace: Workspace,
    create: (workspace: Workspace) => Promise<ServiceCredentials>,
  ): Promise<Connection | undefined> {
    const row = await find(workspace.id)
    if (row) return connectedOnly(row.record)
    const connected: StoredConnection = { ...(await create(workspace)), source: 'provisioned' }
    const isInstalled = await put(workspace.id, connected, null)
    // If the app was uninstalled meanwhile, its data is already deleted, so nothing else would revoke the new key.
    if (!isInstalled && withdraw) await db.executeQuery(withdraw(workspace.id))
    return connectedOnly((await find(workspace.id))?.record)
  }

  const connection: Workspaces['connection'] = async (workspace, { mayProvision = true } = {}) => {
    const row = await find(workspace.id)
    if (row) return connectedOnly(row.record)
    if (!provision || !mayProvision || forgotten.has(workspace.id)) {
      return fallback && { ...fallback, source: 'configured' }
    }
    const running =
      provisioning.get(workspace.id) ??
      provisionFor(workspace, provision).finally(() => provisioning.delete(workspace.id))
    provisioning.set(workspace.id, running)
    return running
  }

  function connectedOnly(record: ConnectionRecord | undefined): StoredConnection | undefined {
    if (!record || record.source === 'disconnected') return undefined
    const [current] = serviceHosts
    const domains = record.domains.map(({ name, domain_name: host }) => ({
      name,
      domain_name: current !== undefined && serviceHosts.includes(host) ? current : host,
    }))
    return { ...record, domains }
  }

  async function disconnect(id: string, by: string): Promise<void> {
    await put(id, { source: 'disconnected' }, by)
  }

  return {
    connectsAutomatically: Boolean(provision ?? fallback),
    connection,

    async connect(id, { apiKey, domains }, by) {
      const connected: StoredConnection = { apiKey, domains, source: 'connected' }
      if (!(await put(id, connected, by))) throw new NotInstalledError()
    },

    async status(workspace) {
      try {
        const current = await connection(workspace)
        const row = await find(workspace.id)
        const change = row && { by: row.connected_by ?? undefined, since: row.connected_at }
        if (current) return { state: 'connected', connection: current, ...change }
        return change ? { state: 'disconnected', ...change } : { state: 'never_connected' }
      } catch (error) {
        if (error instanceof KeyringError) return { state: 'unreadable' }
        throw error
      }
    },

    async setDomains(id, domains, isUnchanged) {
      const row = await find(id)
      const stored = connectedOnly(row?.record)
      if (!row || !stored) return false
      if (isDeepStrictEqual(stored.domains, domains)) return true
      if (!isUnchanged(stored.domains, row.connected_at)) return false
      return secrets.replace(id, row.sealed, { ...stored, domains: [...domains] })
    },

    disconnect,

    async connectAgain(id, by) {
      const row = await find(id).catch(async (error: unknown) => {
        if (!(error instanceof KeyringError)) throw error
        await disconnect(id, by)
        return find(id)
      })
      if (!row || row.record.source === 'connected') return
      await db
        .deleteFrom('workspace_connections')
        .where((is) => is.and({ workspace_id: id, sealed: row.sealed })) // Unless it was replaced meanwhile.
        .execute()
    },

    async forget(id, installedBefore) {
      if (!options.installedByOAuth) forgotten.add(id)
      await provisioning.get(id)?.catch(() => undefined)
      return forgetWorkspace(options.database, id, installedBefore, withdraw)
    },

    forgetPerson: (id, userId) => forgetPerson(options.database, keyring, id, userId),
  }
}
