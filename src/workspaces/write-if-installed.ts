import { CompiledQuery, type Compilable, type Transaction } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { defineWrite, type Write } from '../database/write.ts'

export { DatabaseUnavailableError } from '../database/errors.ts'

export interface StoreOptions {
  database: Database
  installedByOAuth?: boolean | undefined
  now?: (() => number) | undefined
}

/**
 * Writes a workspace's data. If workspaces install the app by OAuth, a write in flight during an uninstall
 * leaves nothing behind: the uninstall waits for the write to end, and nothing is written after it.
 *
 * @returns the rows that the statement returns; undefined if nothing was written
 */
export async function writeIfInstalled<Row>(
  { database, installedByOAuth = false }: StoreOptions,
  workspaceId: string,
  statement: Compilable<Row>,
): Promise<Row[] | undefined> {
  const { sql, parameters } = statement.compile()
  const write = runStatement(installedByOAuth ? workspaceId : undefined, sql, parameters)
  return database.write(write as Write<Row[] | undefined>)
}

export const runStatement = defineWrite(
  import.meta.url,
  'runStatement',
  async (
    transaction,
    installedIn: string | undefined,
    sql: string,
    parameters: readonly unknown[],
  ) => {
    if (!(await lockInstallation(transaction, installedIn))) return undefined
    const { rows } = await transaction.executeQuery(CompiledQuery.raw(sql, [...parameters]))
    return rows
  },
)

/**
 * Locks a workspace's installation, so that an uninstall waits.
 *
 * @returns whether the app is installed
 */
export async function lockInstallation(
  transaction: Transaction<Schema>,
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
