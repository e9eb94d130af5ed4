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
import { KeyringError, type Keyring } from './keyring.ts'
import type { Workspace } from './workspace.ts'
import type { StoreOptions } from './write-if-installed.ts'

export interface StoredDomains {
  domains: readonly DomainRecord[]
  since: number | undefined
}

export interface WorkspacesOptions extends StoreOptions {
  keyring: Keyring
  fallback?: ServiceCredentials | undefined
  provision?: ((workspace: Workspace) => Promise<ServiceCredentials>) | undefined
  withdraw?: Withdraw | undefined
  /**
   * The hosts that our own link service has had. The current one is first, and replaces the others in domain records.
   */
  serviceHosts?: readonly string[]
}

/** Which API key and domains each workspace uses at the link service, and how admins change that. */
export interface Workspaces {
  connectsAutomatically: boolean
  /**
   * Returns the stored connection. If none is stored, returns the deployment's own (`fallback`), or creates one
   * (`provision`). Undefined if the workspace is not connected.
   * @throws KeyringError if the stored connection can't be decrypted; the errors of `provision`
   */
  connection(
    workspace: Workspace,
    options?: { mayProvision?: boolean },
  ): Promise<Connection | undefined>
  connect(id: string, credentials: ServiceCredentials, by: string): Promise<void>
  status(workspace: Workspace): Promise<ConnectionStatus>
  /**
   * Replaces the domain records. Changes nothing, and returns false, if they have changed since the admin opened the
   * form.
   */
  setDomains(
    id: string,
    domains: Domains,
    isUnchanged: (stored: StoredDomains) => boolean,
  ): Promise<boolean>
  disconnect(id: string, by: string): Promise<void>
  /**
   * Deletes the stored connection, so that the workspace's next request gets a new key. A key that an admin entered
   * stays, unless it can't be decrypted anymore.
   */
  connectAgain(id: string, by: string): Promise<void>
  /** Deletes a workspace's data after an uninstall. Requests in flight store no connection afterwards. */
  forget(id: string, installedBefore?: number): Promise<boolean>
  /** @returns the number of links that were recorded as created by the person */
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
  // Workspaces that uninstalled the app. With one bot token, there is no installation to delete.
  const forgotten = new Set<string>()

  // Creates a connection with a new key. If another process does so, too, the connection stored first is used.
  async function provisionFor(
    workspace: Workspace,
    create: (workspace: Workspace) => Promise<ServiceCredentials>,
  ): Promise<Connection | undefined> {
    const row = await store.find(workspace.id)
    if (row) return connectedOnly(row.record)
    const connected: StoredConnection = { ...(await create(workspace)), source: 'provisioned' }
    const isInstalled = await store.put(workspace.id, connected, { by: null, replace: false })
    // If the app was uninstalled meanwhile, perhaps in another process, nothing else would revoke the new key.
    if (!isInstalled && withdraw) await options.database.db.executeQuery(withdraw(workspace.id))
    return connectedOnly((await store.find(workspace.id))?.record)
  }

  const connection: Workspaces['connection'] = async (workspace, { mayProvision = true } = {}) => {
    const row = await store.find(workspace.id)
    if (row) return connectedOnly(row.record)
    if (!provision || !mayProvision || forgotten.has(workspace.id)) {
      return fallback && { ...fallback, source: 'configured' }
    }
    const running = provisioning.get(workspace.id)
    if (running) return running
    const started = provisionFor(workspace, provision).finally(() =>
      provisioning.delete(workspace.id),
    )
    provisioning.set(workspace.id, started)
    return started
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
    await store.put(id, { source: 'disconnected' }, { by, replace: true })
  }

  return {
    connectsAutomatically: Boolean(provision ?? fallback),
    connection,

    async connect(id, { apiKey, domains }, by) {
      const connected: StoredConnection = { apiKey, domains, source: 'connected' }
      const stored = await store.put(id, connected, { by, replace: true })
      if (!stored) throw new Error('the app is not installed in this workspace anymore')
    },

    async status(workspace) {
      try {
        const found = await connection(workspace)
        const row = await store.find(workspace.id)
        const since = row && { by: row.by ?? undefined, since: row.since }
        if (found) return { state: 'connected', connection: found, ...since }
        return since ? { state: 'disconnected', ...since } : { state: 'never_connected' }
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
      if (!isUnchanged({ domains: stored.domains, since: row.since })) return false
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
