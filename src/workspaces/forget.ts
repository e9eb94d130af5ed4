import type { Database } from '../database/database.ts'

/** Everything that the app keeps of a workspace besides its installation, table by table. */
const TABLES = ['workspace_connections', 'workspace_settings', 'recent_utm', 'made_links'] as const

/**
 * Deletes everything that the app keeps of a workspace, at once. Links stay where they are.
 *
 * @param installedBefore milliseconds since 1970: a workspace in which the app was installed then
 *   or later is left alone
 * @returns whether it was deleted
 */
export async function forgetWorkspace(
  { db }: Database,
  workspaceId: string,
  installedBefore = Infinity,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    // First, since it also makes an installation of this moment wait for the end of it.
    const installations = transaction
      .deleteFrom('installations')
      .where('workspace_id', '=', workspaceId)
    await (
      Number.isFinite(installedBefore)
        ? installations.where('installed_at', '<', installedBefore)
        : installations
    ).execute()
    const stays = await transaction
      .selectFrom('installations')
      .select('workspace_id')
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst()
    if (stays) return false
    for (const table of TABLES) {
      await transaction.deleteFrom(table).where('workspace_id', '=', workspaceId).execute()
    }
    return true
  })
}
