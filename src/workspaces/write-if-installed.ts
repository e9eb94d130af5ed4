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
 * @returns whether it was written
 */
export async function writeIfInstalled(
  { database, installedByOAuth = false }: StoreOptions,
  workspaceId: string,
  write: (db: Kysely<Schema>) => Promise<unknown>,
): Promise<boolean> {
  return database.write(async (transaction) => {
    if (installedByOAuth && !(await lockInstallation(transaction, workspaceId))) return false
    await write(transaction)
    return true
  })
}

/** Locks a workspace's installation, so that an uninstall waits. Returns false if there is none. */
async function lockInstallation(db: Kysely<Schema>, workspaceId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('installations')
    .set({ workspace_id: workspaceId })
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
