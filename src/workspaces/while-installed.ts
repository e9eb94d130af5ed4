import type { Transaction } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'

/**
 * Writes something of a workspace that has installed the app by itself. What was under way while the
 * app was taken out leaves nothing behind: an uninstalling of this moment waits for the end of the
 * writing, and after one nothing is written.
 *
 * @returns whether the app is installed there
 */
export async function whileInstalled(
  { db }: Database,
  workspaceId: string,
  write: (transaction: Transaction<Schema>) => Promise<unknown>,
): Promise<boolean> {
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
