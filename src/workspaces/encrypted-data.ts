import type { Db } from '../database/schema.ts'
import { sharedFor } from '../timing/shared.ts'
import { connectionSecrets } from './connection.ts'
import { installationSecrets } from './installations.ts'
import { createKeyring, KEY_BYTES, keyFilePath, loadKeys, type Keyring } from './keyring.ts'

const openStores = (db: Db, keyring: Keyring) => [
  { name: 'workspaces', secrets: connectionSecrets(db, keyring) },
  { name: 'installations', secrets: installationSecrets(db, keyring) },
]

// Anyone can request /readyz, so its requests share a count for this time.
const COUNT_VALID_MS = 1_000

export async function resealSecrets(
  db: Db,
  keyring: Keyring,
  logger: { error: (message: string) => void },
): Promise<void> {
  for (const { name, secrets } of openStores(db, keyring)) {
    const { unreadable } = await secrets.reseal()
    if (unreadable > 0) {
      const message = `${name} whose API key or token can’t be decrypted: ${unreadable}`
      logger.error(`${message}. ENCRYPTION_KEYS, or the file encryption.keys, lacks its key.`)
    }
  }
}

/**
 * Returns a function that counts the stored secrets, and those that can't be decrypted. That number falls as admins
 * connect their workspaces again, and rises if another process encrypts with a key that this process lacks.
 */
export function createSecretsCounter(db: Db, keyring: Keyring) {
  const stores = openStores(db, keyring)
  return sharedFor(COUNT_VALID_MS, () =>
    Promise.all(stores.map(async ({ name, secrets }) => ({ name, ...(await secrets.count()) }))),
  )
}

// Without a configured or generated key, a keyring with this key counts what is stored, but decrypts nothing.
const NO_KEY = Buffer.alloc(KEY_BYTES)

/** Advises the operator after a move from the SQLite file at `path` to PostgreSQL. The advice contains no key. */
export async function checkEncrypted(
  db: Db,
  { path, configured }: { path: string; configured: readonly Buffer[] | undefined },
): Promise<{ encrypted: number; unreadable: number; advice: string }> {
  const file = keyFilePath(`file:${path}`)
  const keys = configured ?? (await loadKeys(file).catch(() => undefined))
  const keyring = createKeyring(keys ?? [NO_KEY])
  const counts = await Promise.all(openStores(db, keyring).map(({ secrets }) => secrets.count()))
  const encrypted = counts.reduce((sum, { stored }) => sum + stored, 0)
  const unreadable = counts.reduce((sum, count) => sum + count.unreadable, 0)
  const usedKeys = configured ? 'ENCRYPTION_KEYS' : `the key in ${file}`
  const readable = unreadable === 0 ? 'all' : encrypted - unreadable
  const found = keys
    ? `With ${usedKeys}, ${readable} can be read.`
    : 'No key to read them was found.'
  const next =
    configured && unreadable === 0
      ? 'Keep ENCRYPTION_KEYS as it is.'
      : `PostgreSQL needs ENCRYPTION_KEYS with every key that Backhalf had with SQLite. If ENCRYPTION_KEYS was not set then, the key is in ${file}: set ENCRYPTION_KEYS_FILE to this path for every process of Backhalf, or add what the file contains to ENCRYPTION_KEYS, after a comma. Keep the file.`
  const advice = `Stored API keys and tokens of workspaces: ${encrypted}. ${found} ${next}`
  return { encrypted, unreadable, advice }
}
