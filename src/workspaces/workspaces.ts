import { isDeepStrictEqual } from 'node:util'
import type {
  Connection,
  ConnectionRecord,
  ConnectionStatus,
  DomainRecord,
  Domains,
  ServiceCredentials,
  StoredConnection,
} from './connection.ts'
import { createConnectionStore } from './connection-store.ts'
import { forgetPerson, forgetWorkspace, type Withdraw } from './forget.ts'
import { NotInstalledError } from './installations.ts'
import { KeyringError, type Keyring } from './keyring.ts'
import type { Workspace } from './workspace.ts'
import type { StoreOptions } from './write-if-installed.ts'

export interface StoredDomains {
  domains: readonly DomainRecord[]
  since: number | undefined
}

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
    isUnchanged: (stored: StoredDomains) => boolean,
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
  ...options
}: WorkspacesOptions): Workspaces {
  const store = createConnectionStore({ ...options, keyring })
  const provisioning = new Map<string, Promise<Connection | undefined>>()
  // Workspaces that uninstalled the app. With one configured bot token, no row of `installations` says so.
  const forgotten = new Set<string>()

  // Creates a connection with a new key. If two processes do that, both use the connection that is stored first.
  async function provisionFor(
    workspace: Workspace,
    create: (workspace: Workspace) => Promise<ServiceCredentials>,
  ): Promise<Connection | undefined> {
    const row = await store.find(workspace.id)
    if (row) return connectedOnly(row.record)
    const connected: StoredConnection = { ...(await create(workspace)), source: 'provisioned' }
    const isInstalled = await store.put(workspace.id, connected, {
      connectedBy: null,
      ifExists: 'keep',
    })
    // If the app was uninstalled meanwhile, its data is already deleted, so nothing else would revoke the new key.
    if (!isInstalled && withdraw) await options.database.db.executeQuery(withdraw(workspace.id))
    return connectedOnly((await store.find(workspace.id))?.record)
  }

  const connection: Workspaces['connection'] = async (workspace, { mayProvision = true } = {}) => {
    const row = await store.find(workspace.id)
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
    await store.put(id, { source: 'disconnected' }, { connectedBy: by, ifExists: 'replace' })
  }

  return {
    connectsAutomatically: Boolean(provision ?? fallback),
    connection,

    async connect(id, { apiKey, domains }, by) {
      const connected: StoredConnection = { apiKey, domains, source: 'connected' }
      const stored = await store.put(id, connected, { connectedBy: by, ifExists: 'replace' })
      if (!stored) throw new NotInstalledError()
    },

    async status(workspace) {
      try {
        const current = await connection(workspace)
        const row = await store.find(workspace.id)
        const change = row && { by: row.connectedBy ?? undefined, since: row.connectedAt }
        if (current) return { state: 'connected', connection: current, ...change }
        return change ? { state: 'disconnected', ...change } : { state: 'never_connected' }
      } catch (error) {
        if (error instanceof KeyringError) return { state: 'unreadable' }
        throw error
      }
    },

    async setDomains(id, domains, isUnchanged) {
      const row = await store.find(id)
      const stored = connectedOnly(row?.record)
      if (!row || !stored) return false
      if (isDeepStrictEqual(stored.domains, domains)) return true
      if (!isUnchanged({ domains: stored.domains, since: row.connectedAt })) return false
      return store.change(id, row, { ...stored, domains: [...domains] })
    },

    disconnect,

    async connectAgain(id, by) {
      const row = await store.find(id).catch(async (error: unknown) => {
        if (!(error instanceof KeyringError)) throw error
        await disconnect(id, by)
        return store.find(id)
      })
      if (row && row.record.source !== 'connected') await store.remove(id, row)
    },

    async forget(id, installedBefore) {
      if (!options.installedByOAuth) forgotten.add(id)
      await provisioning.get(id)?.catch(() => undefined)
      return forgetWorkspace(options.database, id, installedBefore, withdraw)
    },

    forgetPerson: (id, userId) => forgetPerson(options.database, keyring, id, userId),
  }
}
