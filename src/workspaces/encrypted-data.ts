import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'
import { sharedFor } from '../timing/shared.ts'
import { connectionSecrets } from './connection.ts'
import { keyFilePath, loadKeys } from './encryption-keys.ts'
import { installationSecrets } from './installations.ts'
import { createKeyring, KEY_BYTES, type Keyring } from './keyring.ts'

/** What is encrypted, by the name that operators see. */
const SECRETS = { workspaces: connectionSecrets, installations: installationSecrets }

/** How long a count is valid, in milliseconds. Anyone may request /readyz. */
const COUNTED_FOR_MS = 1_000

/**
 * Encrypts everything with the newest key, and logs what no configured key can open.
 *
 * @returns a function that counts what can't be opened when it is called. The number falls as admins connect their
 *   workspaces again. It rises if another process encrypts with a key that this one lacks
 */
export async function resealSecrets(
  db: Kysely<Schema>,
  keyring: Keyring,
  logger: { error: (message: string) => void },
) {
  const columns = Object.entries(SECRETS).map(([name, column]) => ({
    name,
    secrets: column(keyring),
  }))
  for (const { name, secrets } of columns) {
    const { unreadable } = await secrets.reseal(db)
    if (unreadable > 0) {
      const message = `${name} whose API key or token can’t be decrypted: ${unreadable}`
      logger.error(`${message}. ENCRYPTION_KEYS, or the file encryption.keys, lacks its key.`)
    }
  }
  return sharedFor(COUNTED_FOR_MS, () =>
    Promise.all(columns.map(async ({ name, secrets }) => ({ name, ...(await secrets.count(db)) }))),
  )
}

/** A key that opens nothing. */
const NO_KEY = Buffer.alloc(KEY_BYTES)

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
  const file = keyFilePath(`file:${path}`)
  const generated = await loadKeys(file).catch(() => undefined)
  const withConfigured = await countUnreadable(db, configured)
  const withGenerated = await countUnreadable(db, generated)
  const { encrypted } = withConfigured
  const { unreadable } = configured ? withConfigured : withGenerated
  const stored = `Stored API keys and tokens of workspaces: ${encrypted}.`
  const verdict = (keys: string): string =>
    unreadable === 0
      ? `${stored} With ${keys}, all can be read.`
      : `${stored} With ${keys}, ${unreadable} can’t be read.`
  const result = (advice: string) => ({ encrypted, unreadable, advice })
  if (configured && unreadable > withGenerated.unreadable) {
    return result(
      `${verdict('ENCRYPTION_KEYS')} The key in ${file} is missing. Add what this file contains to ENCRYPTION_KEYS, after a comma.`,
    )
  }
  if (configured) return result(`${verdict('ENCRYPTION_KEYS')} Keep it as it is.`)
  if (!generated) {
    return result(
      `PostgreSQL needs ENCRYPTION_KEYS. Neither this variable nor the file ${file} has a key. ${stored} They can’t be read.`,
    )
  }
  return result(
    `${verdict(`the key in ${file}`)} PostgreSQL needs ENCRYPTION_KEYS. Set ENCRYPTION_KEYS_FILE=${file}, or ENCRYPTION_KEYS to what this file contains, for every process of Backhalf, and keep the file.`,
  )
}

async function countUnreadable(
  db: Kysely<Schema>,
  keys: readonly Buffer[] = [NO_KEY],
): Promise<{ encrypted: number; unreadable: number }> {
  const keyring = createKeyring(keys)
  const tables = [
    await connectionSecrets(keyring).readAll(db),
    await installationSecrets(keyring).readAll(db),
  ]
  const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)
  const unreadable = sum(tables.map((table) => table.unreadable))
  return { encrypted: unreadable + sum(tables.map(({ readable }) => readable.length)), unreadable }
}
