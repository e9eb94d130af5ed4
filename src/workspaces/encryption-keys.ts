import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sqlitePath } from '../database/database-url.ts'
import { errorCode } from '../values/unknown-values.ts'
import { KEY_BYTES, KeyringError } from './keyring.ts'

const BASE64_KEY = /^[\w+/-]{43}=?$/

/**
 * Parses ENCRYPTION_KEYS or the key file: base64 of 32 bytes each, one per line or comma-separated, newest first.
 * @throws KeyringError that says which key is wrong, but never contains its value
 */
export function parseKeys(text: string): Buffer[] {
  return text
    .trim()
    .split(/[\s,]+/)
    .map((encoded, index, all) => {
      const key = Buffer.from(encoded, 'base64')
      if (BASE64_KEY.test(encoded) && key.length === KEY_BYTES) return key
      throw new KeyringError(
        `Encryption key ${index + 1} of ${all.length} is not ${KEY_BYTES} bytes in base64. ` +
          'Make one with: openssl rand -base64 32',
      )
    })
}

/**
 * Reads the key file, or creates it with one new key. Processes that start at the same time get the same key. If the
 * file is lost, stored secrets can't be decrypted, so backups must include it.
 */
export async function loadOrCreateKeys(path: string): Promise<Buffer[]> {
  try {
    const keys = await loadKeys(path)
    if (keys) return keys
  } catch (error) {
    // The operator might not know this file, because Backhalf created it.
    throw error instanceof KeyringError ? new KeyringError(`${path}: ${error.message}`) : error
  }
  await createKeyFile(path)
  return parseKeys(await readFile(path, 'utf8'))
}

export async function loadKeys(path: string): Promise<Buffer[] | undefined> {
  try {
    return parseKeys(await readFile(path, 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

export function keyFilePath(databaseUrl: string): string {
  return join(dirname(sqlitePath(databaseUrl)), 'encryption.keys')
}

// Creates the key file, unless another process creates it first. A temporary file is written and then linked to the
// final name, because that fails if the name exists, and no process reads a half-written file.
async function createKeyFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const key = `${randomBytes(KEY_BYTES).toString('base64')}\n`
  await writeFile(draft, key, { flag: 'wx', mode: 0o600, flush: true })
  try {
    await link(draft, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
  // The new name must survive a power failure.
  await using directory = await open(dirname(path))
  await directory.sync()
}
