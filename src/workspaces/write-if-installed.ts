import type { Kysely } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'

/** What every store throws while the database is away. */
export { DatabaseUnavailableError } from '../database/errors.ts'

/** What every store of a workspace's data needs. */
export interface StoreOptions {
  database: Database
  /** Whether workspaces install the app by OAuth. Data is then stored only while the app is installed. */
  installedByOAuth?: boolean | undefined
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
}

/**
 * Writes a workspace's data. If workspaces install the app by OAuth, a write that was under way when
 * the app was uninstalled leaves nothing behind: an uninstall waits for the write to end, and after an
 * uninstall nothing is written.
 *
 * @param write receives a transaction if workspaces install the app by OAuth
 * @returns whether it was written
 */
export async function writeIfInstalled(
  { database: { db }, installedByOAuth = false }: StoreOptions,
  workspaceId: string,
  write: (db: Kysely<Schema>) => Promise<unknown>,
): Promise<boolean> {
  if (!installedByOAuth) {
    await write(db)
    return true
  }
  return db.transaction().execute(async (transaction) => {
    // Changes nothing, but locks the row, so that an uninstall waits.
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
