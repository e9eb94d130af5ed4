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
   * Claims the notice about a key that was refused. No other process sends it, even if this one ends.
   *
   * @returns undefined if the admins know, if another process tells them, or if the workspace has another
   *   key
   */
  take(workspaceId: string, apiKey: string): Promise<KeyNotice | undefined>
}

export function createKeyNoticeStore(options: StoreOptions & { keyring: Keyring }): KeyNoticeStore {
  const {
    database: { db },
    now = Date.now,
  } = options
  const connections = createConnectionStore(options)

  async function findContacts(id: string, connectedBy: string | null): Promise<string[]> {
    const [settings, installation] = await Promise.all([
      db
        .selectFrom('workspace_settings')
        .select('updated_by as user')
        .where('workspace_id', '=', id)
        .executeTakeFirst(),
      db
        .selectFrom('installations')
        .select('installed_by as user')
        .where('workspace_id', '=', id)
        .executeTakeFirst(),
    ])
    // Erased people are null or empty.
    const users = [connectedBy, settings?.user, installation?.user]
    return [...new Set(users.flatMap((user) => (user ? [user] : [])))]
  }

  return {
    async take(workspaceId, apiKey) {
      const row = await connections.find(workspaceId)
      if (!row || row.record.source === 'disconnected' || row.record.apiKey !== apiKey) {
        return undefined
      }
      const { numUpdatedRows } = await db
        .updateTable('workspace_connections')
        .set({ key_notice_after: now() })
        .where('workspace_id', '=', workspaceId)
        .where('sealed', '=', row.sealed)
        .where('key_notice_after', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return undefined
      const { source } = row.record
      return { source, contacts: await findContacts(workspaceId, row.by) }
    },
  }
}
