import type { Database } from '../database/database.ts'
import type { WorkspaceConnectionsTable } from '../database/schema.ts'
import { keptConnection, type KeptConnection } from './connection.ts'
import type { Keyring } from './keyring.ts'
import { whileInstalled } from './while-installed.ts'

/** What is kept of a workspace, and since when. */
export interface KeptRow {
  kept: KeptConnection
  /** The Slack user who had it kept; null where it was provisioned without asking. */
  by: string | null
  /** Milliseconds since 1970. */
  since: number
  /** As it lies in the database: what a change is made against. */
  sealed: Uint8Array
}

/** The rows of `workspace_connections`, sealed. */
export interface ConnectionStore {
  /** @throws KeyringError when the row can't be opened */
  find(id: string): Promise<KeptRow | undefined>
  /**
   * @param replace whether it counts more than a row that is there
   * @returns false, and keeps nothing, where the app is not installed any more
   */
  put(
    id: string,
    kept: KeptConnection,
    { by, replace }: { by: string | null; replace: boolean },
  ): Promise<boolean>
  /**
   * Changes a row, or with undefined deletes it, if it is still as it was read.
   *
   * @returns whether it was
   */
  change(id: string, row: KeptRow, kept: KeptConnection | undefined): Promise<boolean>
}

type Row = WorkspaceConnectionsTable

export function createConnectionStore({
  database,
  keyring,
  installedByOAuth,
  now,
}: {
  database: Database
  keyring: Keyring
  /** Whether workspaces install the app by themselves: only those that did are kept then. */
  installedByOAuth: boolean
  now: () => number
}): ConnectionStore {
  const { db } = database
  const seal = (id: string, kept: KeptConnection): Buffer =>
    keyring.seal(Buffer.from(JSON.stringify(keptConnection.parse(kept))), purpose(id))

  async function insert(into: Pick<typeof db, 'insertInto'>, row: Row, replace: boolean) {
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

  return {
    async find(id) {
      const row = await db
        .selectFrom('workspace_connections')
        .selectAll()
        .where('workspace_id', '=', id)
        .executeTakeFirst()
      if (!row) return undefined
      const { sealed, connected_by: by, connected_at: since } = row
      const json = keyring.open(sealed, purpose(id)).toString('utf8')
      return { kept: keptConnection.parse(JSON.parse(json)), by, since, sealed }
    },

    async put(id, kept, { by, replace }) {
      const sealed = seal(id, kept)
      const row = { workspace_id: id, sealed, connected_by: by, connected_at: now() }
      if (!installedByOAuth) return insert(db, row, replace)
      return whileInstalled(database, id, (transaction) => insert(transaction, row, replace))
    },

    async change(id, { sealed }, kept) {
      if (!kept) {
        const { numDeletedRows } = await db
          .deleteFrom('workspace_connections')
          .where('workspace_id', '=', id)
          .where('sealed', '=', sealed)
          .executeTakeFirst()
        return numDeletedRows > 0n
      }
      const { numUpdatedRows } = await db
        .updateTable('workspace_connections')
        .set({ sealed: seal(id, kept) })
        .where('workspace_id', '=', id)
        .where('sealed', '=', sealed)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}

/** A row sealed for one workspace can't be opened for another. */
export function purpose(workspaceId: string): string {
  return `connection of ${workspaceId}`
}
