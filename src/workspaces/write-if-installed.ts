import { CompiledQuery, type Compilable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { DbTransaction } from '../database/schema.ts'
import type { Statement } from '../database/sqlite-connection.ts'
import { defineWrite } from '../database/write.ts'

export { DatabaseUnavailableError } from '../database/errors.ts'

export interface StoreOptions {
  database: Database
  installedByOAuth?: boolean | undefined
  now?: (() => number) | undefined
}

/**
 * Runs a statement that writes a workspace's data, if the app is still installed there. The transaction locks the
 * installation, so a simultaneous uninstall waits for the commit, and then deletes this data, too. With one configured
 * bot token, there are no installations, and the statement always runs.
 * @returns the rows that the statement returns; undefined if the app is not installed anymore
 */
export async function writeIfInstalled<Row>(
  options: StoreOptions,
  workspaceId: string,
  statement: Compilable<Row>,
): Promise<Row[] | undefined> {
  const write = runStatement(lockedBy(options, workspaceId), toStatement(statement))
  return options.database.write(write) as Promise<Row[] | undefined>
}

export function lockedBy({ installedByOAuth }: StoreOptions, workspaceId: string) {
  // With one configured bot token, there are no installations.
  return installedByOAuth ? workspaceId : undefined
}

export function toStatement(statement: Compilable): Statement {
  const { sql, parameters } = statement.compile()
  return { sql, parameters }
}

export async function execute(transaction: DbTransaction, { sql, parameters }: Statement) {
  const { rows } = await transaction.executeQuery(CompiledQuery.raw(sql, [...parameters]))
  return rows
}

export const runStatement = defineWrite(async function runStatement(
  transaction,
  lockedWorkspace: string | undefined,
  statement: Statement,
) {
  if (!(await lockInstallation(transaction, lockedWorkspace))) return undefined
  return execute(transaction, statement)
})

/** Makes an uninstall wait until the transaction ends. @returns true if the app is installed */
export async function lockInstallation(
  transaction: DbTransaction,
  workspaceId: string | undefined,
): Promise<boolean> {
  if (workspaceId === undefined) return true
  const row = await transaction
    .updateTable('installations')
    .set((is) => ({ workspace_id: is.ref('workspace_id') }))
    .where('workspace_id', '=', workspaceId)
    .returning('workspace_id')
    .executeTakeFirst()
  return row !== undefined
}
