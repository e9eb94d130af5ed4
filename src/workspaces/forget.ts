import type { Transaction } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'

/** Every table with a workspace's data, except `installations`. */
const TABLES = [
  'workspace_connections',
  'workspace_settings',
  'recent_utm',
  'made_links',
  'home_tabs',
] as const

/** Makes the key that a workspace got from our own link service invalid, in the same transaction. */
export type Withdraw = (transaction: Transaction<Schema>, workspaceId: string) => Promise<void>

/**
 * Deletes everything that the app stores about a workspace, in one transaction. The links themselves
 * belong to the link service and stay.
 *
 * @param installedBefore milliseconds since 1970: a workspace that installed the app then or later is
 *   left alone
 * @returns whether it was deleted
 */
export async function forgetWorkspace(
  database: Database,
  workspaceId: string,
  installedBefore = Infinity,
  withdraw?: Withdraw,
): Promise<boolean> {
  const deleted = await database.db.transaction().execute(async (transaction) => {
    // This comes first because it also makes a simultaneous installation wait.
    const installations = transaction
      .deleteFrom('installations')
      .where('workspace_id', '=', workspaceId)
    await (
      Number.isFinite(installedBefore)
        ? installations.where('installed_at', '<', installedBefore)
        : installations
    ).execute()
    const isInstalled = await transaction
      .selectFrom('installations')
      .select('workspace_id')
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst()
    if (isInstalled) return false
    for (const table of TABLES) {
      await transaction.deleteFrom(table).where('workspace_id', '=', workspaceId).execute()
    }
    await withdraw?.(transaction, workspaceId)
    return true
  })
  if (deleted) await database.eraseDeleted()
  return deleted
}
