import type { Kysely } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'

/** Where something of a workspace is kept. */
export interface Keeping {
  database: Database
  /** Whether workspaces install the app by themselves: only those that did are kept then. */
  installedByOAuth?: boolean | undefined
}

/**
 * Writes something of a workspace. Where workspaces install the app by themselves, what was under
 * way while the app was taken out leaves nothing behind: an uninstalling of this moment waits for the
 * end of the writing, and after one nothing is written.
 *
 * @param write is given a transaction there
 * @returns whether it was written
 */
export async function whileInstalled(
  { database: { db }, installedByOAuth = false }: Keeping,
  workspaceId: string,
  write: (db: Kysely<Schema>) => Promise<unknown>,
): Promise<boolean> {
  if (!installedByOAuth) {
    await write(db)
    return true
  }
  return db.transaction().execute(async (transaction) => {
    // Changes nothing, and so makes an uninstalling wait.
    const { numUpdatedRows } = await transaction
      .updateTable('installations')
      .set({ workspace_id: workspaceId })
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await write(transaction)
    return true
  })
}
