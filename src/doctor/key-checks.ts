import { randomBytes } from 'node:crypto'
import { COMMAND } from '../config/command.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../database/schema.ts'
import { connectionSecrets, type ConnectionRecord } from '../workspaces/connection.ts'
import { installationSecrets, type Installation } from '../workspaces/installations.ts'
import { createKeyring, keyFilePath, KeyringError, loadKeys } from '../workspaces/keyring.ts'
import type { StoredSecrets } from '../workspaces/sealed.ts'
import { failed, named, ok, rootErrorCode, skipped, type Result } from './check.ts'
import { checkFileAccess } from './configuration-checks.ts'

export const MAX_HOSTNAMES = 20

export interface StoredData {
  hostnames: string[]
  connections: StoredSecrets<ConnectionRecord>
  installations: StoredSecrets<Installation>
}

export async function checkKeys(config: Config, db: Db | undefined) {
  const { findings, keys, missingFile } = await findKeys(config)
  if (!db) {
    const result = skipped('There is no readable database to try them on.')
    return { findings: [...findings, ...named(STORED_SECRETS, result)] }
  }
  // If there is no key, a random one is used. It decrypts nothing, so all secrets count as unreadable.
  const keyring = createKeyring(keys && keys.length > 0 ? keys : [randomBytes(32)])
  const domains = await db
    .selectFrom('domains')
    .select('domain_name')
    .where('domain_name', '<>', '')
    .groupBy('domain_name')
    .orderBy(({ fn }) => fn.max('created_at'), 'desc')
    .limit(MAX_HOSTNAMES)
    .execute()
  const stored = {
    connections: await connectionSecrets(db, keyring).readAll(),
    installations: await installationSecrets(db, keyring).readAll(),
    hostnames: domains.map((row) => row.domain_name),
  }
  const result = judgeSecrets(stored)
  const finding = { name: STORED_SECRETS, ...result }
  if (missingFile !== undefined && result.status === 'failed') {
    const message = `${missingFile} is missing, and the database needs the key in it.`
    const fix =
      'Restore the file from a backup before you start Backhalf. Otherwise, it creates a new key.'
    return { findings: [...named(KEYS, failed(message, fix)), finding], stored }
  }
  return { findings: [...findings, finding], stored }
}

const KEYS = 'Keys'
const STORED_SECRETS = 'Stored secrets'

function judgeSecrets({ connections, installations }: StoredData): Result {
  const unreadable = connections.unreadable + installations.unreadable
  const total = connections.readable.length + installations.readable.length + unreadable
  if (total === 0) return ok('The database holds no encrypted keys or tokens yet.')
  if (unreadable === 0) {
    return ok(
      `All can be decrypted (connections: ${connections.readable.length}, installations: ${installations.readable.length}).`,
    )
  }
  return failed(
    `${unreadable} of ${total} can’t be decrypted (connections: ${connections.unreadable}, installations: ${installations.unreadable}).`,
    `Add the earlier key to the end of ENCRYPTION_KEYS, or restore the key file from a backup. If it is lost, these workspaces must connect again (${COMMAND} connect) or install the app again.`,
  )
}

async function findKeys({ encryptionKeys, databaseUrl }: Config) {
  if (encryptionKeys) {
    const message = `ENCRYPTION_KEYS holds ${keyCount(encryptionKeys)}.`
    return { findings: named(KEYS, ok(message)), keys: encryptionKeys }
  }
  const path = keyFilePath(databaseUrl)
  try {
    const keys = await loadKeys(path)
    if (!keys) {
      const message = `There is no key yet. The first start creates ${path}.`
      return { findings: named(KEYS, ok(message)), missingFile: path }
    }
    const message = `${path} holds ${keyCount(keys)}. Include this file in backups.`
    const file = named('Key file', ...(await checkFileAccess(path)))
    return { findings: [...named(KEYS, ok(message)), ...file], keys }
  } catch (error) {
    const reason = error instanceof KeyringError ? error.message : `${rootErrorCode(error)}.`
    const fix =
      'Make it readable for the user who runs Backhalf. If its content is damaged, restore it from a backup.'
    return { findings: named(KEYS, failed(`${path} can’t be used. ${reason}`, fix)) }
  }
}

function keyCount({ length }: readonly Buffer[]): string {
  return length === 1 ? 'one key' : `${length} keys. The first encrypts, all decrypt`
}
