import type { Database } from '../database/database.ts'
import { openWhenReachable } from '../database/open-when-reachable.ts'
import { createSecretsCounter, resealSecrets } from '../workspaces/encrypted-data.ts'
import {
  createKeyring,
  keyFilePath,
  loadOrCreateKeys,
  type Keyring,
} from '../workspaces/keyring.ts'
import type { StartContext } from './start-context.ts'

export interface Storage {
  database: Database
  keyring: Keyring
  /** True if API keys or tokens are stored, and none of them can be decrypted. */
  isLocked: () => Promise<boolean>
}

export async function startDatabase(context: StartContext): Promise<Storage> {
  const { config, logger, clock, threads, metrics, onStop } = context
  const { databaseUrl, encryptionKeys } = config
  const database = await openWhenReachable(databaseUrl, {
    threads,
    poolSize: config.databasePoolSize,
    metrics,
    logger,
    clock,
  })
  onStop(() => database.close())
  const keyring = createKeyring(
    encryptionKeys ?? (await loadOrCreateKeys(keyFilePath(databaseUrl))),
  )
  await resealSecrets(database.db, keyring, logger)
  const countSecrets = createSecretsCounter(database.db, keyring)
  metrics?.watchSecrets(countSecrets)
  return {
    database,
    keyring,
    async isLocked() {
      const secrets = await countSecrets()
      return (
        secrets.some(({ stored }) => stored > 0) &&
        secrets.every(({ stored, unreadable }) => unreadable === stored)
      )
    },
  }
}
