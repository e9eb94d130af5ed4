import type { StoredConnection } from './connection.ts'
import { createConnectionStore } from './connection-store.ts'
import type { Keyring } from './keyring.ts'
import type { StoreOptions } from './write-if-installed.ts'

export interface KeyNotice {
  source: StoredConnection['source']
  contacts: readonly string[]
}

export interface KeyNoticeStore {
  /**
   * Claims the notice to admins that the workspace's API key no longer works. A claim never ends, so the notice about a
   * key is sent at most once: not again, even if the process ends before it sends the notice.
   * @returns whom to notify; undefined if the notice is already claimed, or if the workspace has another key by now
   */
  claim(workspaceId: string, apiKey: string): Promise<KeyNotice | undefined>
}

export function createKeyNoticeStore(options: StoreOptions & { keyring: Keyring }): KeyNoticeStore {
  const { database, now = Date.now } = options
  const { db } = database
  const connections = createConnectionStore(options)

  async function findContacts(id: string, connectedBy: string | null): Promise<string[]> {
    const others = await db
      .selectFrom('workspace_connections as connection')
      .leftJoin(
        'workspace_settings as settings',
        'settings.workspace_id',
        'connection.workspace_id',
      )
      .leftJoin('installations', 'installations.workspace_id', 'connection.workspace_id')
      .where('connection.workspace_id', '=', id)
      .select(['updated_by', 'installed_by'])
      .executeTakeFirst()
    // The ID of an erased person is null or empty.
    const users = [connectedBy, others?.updated_by, others?.installed_by]
    return [...new Set(users.flatMap((user) => user || []))]
  }

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
      const { source } = row.record
      return { source, contacts: await findContacts(workspaceId, row.connectedBy) }
    },
  }
}
