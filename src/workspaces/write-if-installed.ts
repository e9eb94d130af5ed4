import type { Kysely, Transaction } from 'kysely'
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
    if (installedByOAuth && !(await lockInstallations(transaction, [workspaceId])).has(workspaceId))
      return false
    await write(transaction)
    return true
  })
}

/**
 * Returns a function that writes a row in the same way, but together with other rows of this moment.
 *
 * @param insert inserts the rows of workspaces in which the app is installed
 */
export function insertIfInstalled<Row extends { workspace_id: string }>(
  { database, installedByOAuth = false }: StoreOptions,
  insert: (db: Kysely<Schema>, rows: readonly Row[]) => Promise<unknown>,
): (row: Row) => Promise<boolean> {
  return database.writeInBulk(async (transaction, rows: readonly Row[]) => {
    const workspaceIds = new Set(rows.map((row) => row.workspace_id))
    const installed = installedByOAuth
      ? await lockInstallations(transaction, [...workspaceIds])
      : workspaceIds
    const allowed = rows.filter((row) => installed.has(row.workspace_id))
    if (allowed.length > 0) await insert(transaction, allowed)
    return rows.map((row) => installed.has(row.workspace_id))
  })
}

/** Locks the installations of workspaces, so that an uninstall waits. Returns the workspaces that have one. */
async function lockInstallations(
  transaction: Transaction<Schema>,
  workspaceIds: readonly string[],
): Promise<Set<string>> {
  const rows = await transaction
    .updateTable('installations')
    .set((is) => ({ workspace_id: is.ref('workspace_id') }))
    .where('workspace_id', 'in', workspaceIds)
    .returning('workspace_id')
    .execute()
  return new Set(rows.map((row) => row.workspace_id))
}
