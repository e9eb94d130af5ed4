import { connectionSecrets, type StoredConnection } from './connection.ts'
import type { Keyring } from './keyring.ts'
import type { StoreOptions } from './write-if-installed.ts'

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

export function createKeyNoticeStore({
  database: { db },
  keyring,
  now = Date.now,
}: StoreOptions & { keyring: Keyring }): KeyNoticeStore {
  const secrets = connectionSecrets(db, keyring)

  return {
    async claim(workspaceId, apiKey) {
      const stored = await secrets.find(workspaceId)
      if (!stored || stored.content.source === 'disconnected') return undefined
      const { sealed, content } = stored
      if (content.apiKey !== apiKey) return undefined
      const { numUpdatedRows } = await db
        .updateTable('workspace_connections')
        .set({ key_notice_after: now() })
        .where((is) => is.and({ workspace_id: workspaceId, sealed }))
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
      return { source: content.source, contacts }
    },
  }
}
