import { connectionSecrets, type ConnectionRecord, type StoredConnection } from './connection.ts'
import type { Keyring } from './keyring.ts'
import { writeIfInstalled, type StoreOptions } from './write-if-installed.ts'

interface ConnectionRow {
  record: ConnectionRecord
  connectedBy: string | null
  connectedAt: number
  /** For optimistic locking: `change` and `remove` do nothing if the row has another. */
  sealed: Uint8Array
}

export function createConnectionStore({
  keyring,
  now = Date.now,
  ...options
}: StoreOptions & { keyring: Keyring }) {
  const { db } = options.database
  const secrets = connectionSecrets(db, keyring)

  return {
    async find(id: string): Promise<ConnectionRow | undefined> {
      const row = await db
        .selectFrom('workspace_connections')
        .selectAll()
        .where('workspace_id', '=', id)
        .executeTakeFirst()
      if (!row) return undefined
      const { sealed, connected_by: connectedBy, connected_at: connectedAt } = row
      return { record: secrets.open(id, sealed), connectedBy, connectedAt, sealed }
    },

    /** @returns false, and stores nothing, if the app is not installed anymore */
    async put(
      id: string,
      record: ConnectionRecord,
      { connectedBy, ifExists }: { connectedBy: string | null; ifExists: 'replace' | 'keep' },
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
          return ifExists === 'replace' ? existing.doUpdateSet(row) : existing.doNothing()
        })
      return (await writeIfInstalled(options, id, statement)) !== undefined
    },

    /** @returns false, and changes nothing, if the row has changed since it was read */
    change: (id: string, { sealed }: ConnectionRow, record: ConnectionRecord): Promise<boolean> =>
      secrets.replace(id, sealed, record),

    async remove(id: string, { sealed }: ConnectionRow): Promise<void> {
      await db
        .deleteFrom('workspace_connections')
        .where((is) => is.and({ workspace_id: id, sealed }))
        .execute()
    },
  }
}

export interface KeyNotice {
  source: StoredConnection['source']
  contacts: readonly string[]
}

export interface KeyNoticeStore {
  /**
   * Claims the notice to admins that an API key no longer works. A claim never ends, so the notice is sent at most once.
   * @returns undefined if the notice is already claimed, or if the workspace has another key by now
   */
  claim(workspaceId: string, apiKey: string): Promise<KeyNotice | undefined>
}

export function createKeyNoticeStore(options: StoreOptions & { keyring: Keyring }): KeyNoticeStore {
  const { now = Date.now } = options
  const { db } = options.database
  const connections = createConnectionStore(options)

  return {
    async claim(workspaceId, apiKey) {
      const row = await connections.find(workspaceId)
      if (!row || row.record.source === 'disconnected' || row.record.apiKey !== apiKey) {
        return undefined
      }
      const { numUpdatedRows } = await db
        .updateTable('workspace_connections')
        .set({ key_notice_after: now() })
        .where((is) => is.and({ workspace_id: workspaceId, sealed: row.sealed }))
        .where('key_notice_after', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return undefined
      const users = await db
        .selectFrom('workspace_connections as connection')
        .leftJoin(
          'workspace_settings',
          'workspace_settings.workspace_id',
          'connection.workspace_id',
        )
        .leftJoin('installations', 'installations.workspace_id', 'connection.workspace_id')
        .where('connection.workspace_id', '=', workspaceId)
        .select(['connected_by', 'updated_by', 'installed_by'])
        .executeTakeFirst()
      const ids = [users?.connected_by, users?.updated_by, users?.installed_by]
      // The ID of an erased person is null or empty.
      const contacts = [...new Set(ids.flatMap((id) => id || []))]
      return { source: row.record.source, contacts }
    },
  }
}
