import type { Database } from '../database/database.ts'
import { KeyringError, type Keyring } from './keyring.ts'

/** The outcome of a reseal, in rows. */
export interface Resealed {
  resealed: number
  /** Rows that no configured key can open. */
  unreadable: number
}

/**
 * Encrypts a table's rows with the newest key if an older key sealed them.
 *
 * @param sealContext the context that a workspace's row was sealed with
 */
export async function resealTable(
  { db }: Database,
  keyring: Keyring,
  table: 'workspace_connections' | 'installations',
  sealContext: (workspaceId: string) => string,
): Promise<Resealed> {
  const rows = await db.selectFrom(table).select(['workspace_id', 'sealed']).execute()
  const outdated = rows.filter(({ sealed }) => keyring.isOutdated(sealed))
  let resealed = 0
  for (const { workspace_id: id, sealed } of outdated) {
    try {
      const renewed = keyring.seal(keyring.open(sealed, sealContext(id)), sealContext(id))
      // Does not overwrite a row that was stored in the meantime.
      await db
        .updateTable(table)
        .set({ sealed: renewed })
        .where('workspace_id', '=', id)
        .where('sealed', '=', sealed)
        .execute()
      resealed++
    } catch (error) {
      if (!(error instanceof KeyringError)) throw error
    }
  }
  return { resealed, unreadable: outdated.length - resealed }
}
