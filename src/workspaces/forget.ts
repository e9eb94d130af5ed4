import type { Database } from '../database/database.ts'

/** Everything that the app keeps of a workspace, table by table. */
const TABLES = [
  'workspace_connections',
  'installations',
  'workspace_settings',
  'recent_utm',
  'made_links',
] as const

/** Deletes everything that the app keeps of a workspace, at once. Links stay where they are. */
export async function forgetWorkspace({ db }: Database, workspaceId: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const table of TABLES) {
      await transaction.deleteFrom(table).where('workspace_id', '=', workspaceId).execute()
    }
  })
}
