import { connectionSecrets, type ConnectionRecord } from './connection.ts'
import type { Keyring } from './keyring.ts'
import { writeIfInstalled, type StoreOptions } from './write-if-installed.ts'

interface ConnectionRow {
  record: ConnectionRecord
  by: string | null
  since: number
  /** The encrypted record. `change` and `remove` do nothing if the row has other bytes by now. */
  sealed: Uint8Array
}

/** Stores, encrypted, how each workspace is connected to the link service: its API key and its domains. */
export function createConnectionStore({
  keyring,
  now = Date.now,
  ...options
}: StoreOptions & { keyring: Keyring }) {
  const { db } = options.database
  const secrets = connectionSecrets(keyring)

  return {
    async find(id: string): Promise<ConnectionRow | undefined> {
      const row = await db
        .selectFrom('workspace_connections')
        .selectAll()
        .where('workspace_id', '=', id)
        .executeTakeFirst()
      if (!row) return undefined
      const { sealed, connected_by: by, connected_at: since } = row
      return { record: secrets.open(id, sealed), by, since, sealed }
    },

    /**
     * Stores a record. If the workspace has one already, `replace` decides which of the two is kept.
     * @returns false, and stores nothing, if the app is not installed anymore
     */
    async put(
      id: string,
      record: ConnectionRecord,
      { by, replace }: { by: string | null; replace: boolean },
    ): Promise<boolean> {
      const row = {
        workspace_id: id,
        sealed: secrets.seal(id, record),
        connected_by: by,
        connected_at: now(),
        key_notice_after: null,
      }
      const written = await writeIfInstalled(
        options,
        id,
        db
          .insertInto('workspace_connections')
          .values(row)
          .onConflict((conflict) => {
            const taken = conflict.column('workspace_id')
            return replace ? taken.doUpdateSet(row) : taken.doNothing()
          }),
      )
      return written !== undefined
    },

    change: (id: string, { sealed }: ConnectionRow, record: ConnectionRecord): Promise<boolean> =>
      secrets.replace(db, id, sealed, record),

    async remove(id: string, { sealed }: ConnectionRow): Promise<void> {
      await db
        .deleteFrom('workspace_connections')
        .where((is) => is.and({ workspace_id: id, sealed }))
        .execute()
    },
  }
}
