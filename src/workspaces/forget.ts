import { sql, type Compilable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Statement } from '../database/sqlite-connection.ts'
import { defineWrite } from '../database/write.ts'
import { eraseInstaller } from './installations.ts'
import type { Keyring } from './keyring.ts'
import { createSettingsStore, withoutReport } from './settings.ts'
import { execute, toStatement } from './write-if-installed.ts'

// Every table with a workspace's data, except `installations`.
const TABLES = [
  'workspace_connections',
  'workspace_settings',
  'recent_utm',
  'made_links',
  'home_tabs',
  'alerts',
  'link_approvals',
  'imports',
  'import_rows',
] as const

/** Builds a statement that revokes the keys that were provisioned for a workspace. */
export type Withdraw = (workspaceId: string) => Compilable

/**
 * Deletes everything that the app stores about a workspace. Its links belong to the link service and stay.
 * @returns false, and deletes nothing, if the app was installed at `installedBefore` (milliseconds since 1970) or later
 */
export async function forgetWorkspace(
  database: Database,
  workspaceId: string,
  installedBefore = Number.MAX_SAFE_INTEGER,
  withdraw?: Withdraw,
): Promise<boolean> {
  const statement = withdraw && toStatement(withdraw(workspaceId))
  const deleted = await database.write(deleteWorkspace(workspaceId, installedBefore, statement))
  if (deleted) await database.eraseDeleted()
  return deleted
}

export const deleteWorkspace = defineWrite(async function deleteWorkspace(
  transaction,
  workspaceId: string,
  installedBefore: number,
  withdraw: Statement | undefined,
) {
  // This statement comes first, because it makes a simultaneous installation wait until this transaction ends.
  await transaction
    .deleteFrom('installations')
    .where('workspace_id', '=', workspaceId)
    .where('installed_at', '<', installedBefore)
    .execute()
  const isInstalled = await transaction
    .selectFrom('installations')
    .select('workspace_id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  if (isInstalled) return false
  for (const table of TABLES) {
    await transaction.deleteFrom(table).where('workspace_id', '=', workspaceId).execute()
  }
  if (withdraw) await execute(transaction, withdraw)
  return true
})

/**
 * Erases a person's ID from what the app stores about a workspace. Links that the person created stay, without a
 * creator. What depends on the person, such as their alerts and a weekly report that they set up, is deleted.
 */
export async function forgetPerson(
  database: Database,
  keyring: Keyring,
  workspaceId: string,
  userId: string,
): Promise<number> {
  const settings = createSettingsStore({ database })
  const { weeklyReport } = await settings.read(workspaceId)
  if (weeklyReport?.setBy === userId) await settings.update(workspaceId, '', withoutReport)
  await eraseInstaller(database.db, keyring, workspaceId)
  const links = await database.write(erasePerson(workspaceId, userId))
  await database.eraseDeleted()
  return links
}

// The tables whose rows are deleted with a person, and their column with the person's ID.
const DELETED_WITH = [
  ['recent_utm', 'user_id'],
  ['home_tabs', 'user_id'],
  ['alerts', 'created_by'],
  ['link_approvals', 'requested_by'],
  ['imports', 'created_by'],
] as const

// The columns in which a person's ID is replaced, and the value that replaces it.
const NAMED_IN = [
  ['workspace_connections', 'connected_by', null],
  ['installations', 'installed_by', null],
  ['workspace_settings', 'updated_by', ''],
] as const

export const erasePerson = defineWrite(async function erasePerson(
  transaction,
  workspaceId: string,
  userId: string,
) {
  for (const [table, column] of DELETED_WITH) {
    await sql`delete from ${sql.table(table)}
        where workspace_id = ${workspaceId} and ${sql.ref(column)} = ${userId}`.execute(transaction)
  }
  await sql`delete from import_rows where workspace_id = ${workspaceId}
      and import_id not in (select id from imports where workspace_id = ${workspaceId})`.execute(
    transaction,
  )
  for (const [table, column, replacement] of NAMED_IN) {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${replacement}
        where workspace_id = ${workspaceId} and ${sql.ref(column)} = ${userId}`.execute(transaction)
  }
  const { numUpdatedRows } = await transaction
    .updateTable('made_links')
    .set({ made_by: null, remind_at: null })
    .where('workspace_id', '=', workspaceId)
    .where('made_by', '=', userId)
    .executeTakeFirst()
  return Number(numUpdatedRows)
})
