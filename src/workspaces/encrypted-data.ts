import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'
import { sealContext } from './connection-store.ts'
import { parseKeys } from './encryption-keys.ts'
import { installationContext } from './installations.ts'
import { createKeyring, KeyringError, type Keyring } from './keyring.ts'

/** The tables whose encrypted values are kept, and what their values are sealed for. */
const SEALED = [
  ['workspace_connections', sealContext],
  ['installations', installationContext],
] as const

/** How many rows are read at once. */
const BATCH = 500

/** The file with the keys that were generated next to a SQLite file. */
export function keyFile(sqlitePath: string): string {
  return join(dirname(sqlitePath), 'encryption.keys')
}

/**
 * Counts the encrypted API keys and tokens of all workspaces, and those that can't be read. It also says what to do
 * with the encryption keys when the data has moved from SQLite to PostgreSQL. It never shows a key.
 *
 * @param options.path the SQLite file that the data was in
 * @param options.configured the keys in ENCRYPTION_KEYS
 */
export async function checkEncrypted(
  db: Kysely<Schema>,
  { path, configured }: { path: string; configured: readonly Buffer[] | undefined },
): Promise<{ encrypted: number; unreadable: number; advice: string }> {
  const file = keyFile(path)
  const generated = await readFile(file, 'utf8').then(parseKeys, () => undefined)
  const withConfigured = await countUnreadable(db, configured)
  const withGenerated = await countUnreadable(db, generated)
  const { encrypted } = withConfigured
  const { unreadable } = configured ? withConfigured : withGenerated
  const values = 'encrypted values (API keys and tokens of workspaces)'
  const verdict = (keys: string): string =>
    unreadable === 0
      ? `All ${encrypted} ${values} can be read with ${keys}.`
      : `${unreadable} of ${encrypted} ${values} can’t be read with ${keys}.`
  const result = (advice: string) => ({ encrypted, unreadable, advice })
  if (configured && unreadable > withGenerated.unreadable) {
    return result(
      `${verdict('ENCRYPTION_KEYS')} The key in ${file} is missing. Add what this file contains to ENCRYPTION_KEYS, after a comma.`,
    )
  }
  if (configured) return result(`${verdict('ENCRYPTION_KEYS')} Keep it as it is.`)
  if (!generated) {
    return result(
      `PostgreSQL needs ENCRYPTION_KEYS. Neither this variable nor the file ${file} has a key, so ${encrypted} ${values} can’t be read.`,
    )
  }
  return result(
    `${verdict(`the key in ${file}`)} PostgreSQL needs ENCRYPTION_KEYS. Set ENCRYPTION_KEYS_FILE=${file}, or ENCRYPTION_KEYS to what this file contains, for every process of Backhalf, and keep the file.`,
  )
}

async function countUnreadable(
  db: Kysely<Schema>,
  keys: readonly Buffer[] | undefined,
): Promise<{ encrypted: number; unreadable: number }> {
  const keyring = keys && createKeyring(keys)
  let [encrypted, unreadable] = [0, 0]
  for (const [table, context] of SEALED) {
    for (let last = ''; ;) {
      const rows = await db
        .selectFrom(table)
        .select(['workspace_id', 'sealed'])
        .where('workspace_id', '>', last)
        .orderBy('workspace_id')
        .limit(BATCH)
        .execute()
      encrypted += rows.length
      unreadable += rows.filter(
        ({ workspace_id: id, sealed }) => !keyring || !canOpen(keyring, sealed, context(id)),
      ).length
      const end = rows.at(-1)?.workspace_id
      if (end === undefined) break
      last = end
    }
  }
  return { encrypted, unreadable }
}

function canOpen(keyring: Keyring, sealed: Uint8Array, context: string): boolean {
  try {
    keyring.open(sealed, context)
    return true
  } catch (error) {
    if (error instanceof KeyringError) return false
    throw error
  }
}
