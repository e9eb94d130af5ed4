import type { Transaction } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { installationSecrets } from './installations.ts'
import type { Keyring } from './keyring.ts'
import { unlessUnreadable } from './sealed.ts'

/** Every table with a workspace's data, except `installations`. */
const TABLES = ['workspace_connections', 'workspace_settings', 'recent_utm', 'made_links'] as const

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

/**
 * Erases a person's ID from what the app stores about a workspace, in one transaction. Links that the person made
 * stay, without a maker. What only the person needs, such as their last UTM values, is deleted.
 *
 * @returns of how many links the person was recorded as the maker
 */
export async function forgetPerson(
  database: Database,
  keyring: Keyring,
  workspaceId: string,
  userId: string,
): Promise<number> {
  const links = await database.db.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('recent_utm')
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .execute()
    await transaction
      .updateTable('workspace_connections')
      .set({ connected_by: null })
      .where('workspace_id', '=', workspaceId)
      .where('connected_by', '=', userId)
      .execute()
    await transaction
      .updateTable('installations')
      .set({ installed_by: null })
      .where('workspace_id', '=', workspaceId)
      .where('installed_by', '=', userId)
      .execute()
    await forgetInstaller(transaction, keyring, workspaceId, userId)
    await transaction
      .updateTable('workspace_settings')
      .set({ updated_by: '' })
      .where('workspace_id', '=', workspaceId)
      .where('updated_by', '=', userId)
      .execute()
    const { numUpdatedRows } = await transaction
      .updateTable('made_links')
      .set({ made_by: null, remind_at: null })
      .where('workspace_id', '=', workspaceId)
      .where('made_by', '=', userId)
      .executeTakeFirst()
    return Number(numUpdatedRows)
  })
  await database.eraseDeleted()
  return links
}

/** The encrypted installation also names who installed the app. */
async function forgetInstaller(
  transaction: Transaction<Schema>,
  keyring: Keyring,
  workspaceId: string,
  userId: string,
): Promise<void> {
  // Changes nothing, but locks the row, so that a refresh of its tokens waits and finds another row then.
  const row = await transaction
    .updateTable('installations')
    .set({ workspace_id: workspaceId })
    .where('workspace_id', '=', workspaceId)
    .returning('sealed')
    .executeTakeFirst()
  if (!row) return
  const secrets = installationSecrets(keyring)
  // Without its key, no one can read an installation anymore.
  const installation = unlessUnreadable(() => secrets.open(workspaceId, row.sealed))
  if (installation?.user?.id !== userId) return
  const { user: _, ...rest } = installation
  await transaction
    .updateTable('installations')
    .set({ sealed: secrets.seal(workspaceId, rest) })
    .where('workspace_id', '=', workspaceId)
    .execute()
}
