import type { Database } from '../database/database.ts'
import type { Keyring } from './keyring.ts'
import { KeyringError } from './keyring-error.ts'

/**
 * Encrypts with the newest key what older ones sealed in a table.
 *
 * @param purpose the context that a workspace's row was sealed with
 */
export async function resealTable(
  { db }: Database,
  keyring: Keyring,
  table: 'workspace_connections' | 'installations',
  purpose: (workspaceId: string) => string,
): Promise<{ resealed: number; unreadable: number }> {
  const rows = await db.selectFrom(table).select(['workspace_id', 'sealed']).execute()
  const outdated = rows.filter(({ sealed }) => keyring.isOutdated(sealed))
  let resealed = 0
  for (const { workspace_id: id, sealed } of outdated) {
    try {
      const renewed = keyring.seal(keyring.open(sealed, purpose(id)), purpose(id))
      // Not over what was kept there in the meantime.
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
