import { keptConnection, type KeptConnection } from './connection.ts'
import type { Keyring } from './keyring.ts'
import { whileInstalled, type Keeping } from './write-if-installed.ts'

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

export function createConnectionStore({
  keyring,
  now,
  ...keeping
}: Keeping & {
  keyring: Keyring
  now: () => number
}): ConnectionStore {
  const { db } = keeping.database
  const seal = (id: string, kept: KeptConnection): Buffer =>
    keyring.seal(Buffer.from(JSON.stringify(keptConnection.parse(kept))), purpose(id))

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
      return whileInstalled(keeping, id, (writer) =>
        writer
          .insertInto('workspace_connections')
          .values(row)
          .onConflict((conflict) => {
            const taken = conflict.column('workspace_id')
            return replace ? taken.doUpdateSet(row) : taken.doNothing()
          })
          .execute(),
      )
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
