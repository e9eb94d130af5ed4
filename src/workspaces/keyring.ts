import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import { link, mkdir, open, readFile, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sqlitePath } from '../database/database-url.ts'
import { errorCode } from '../values/unknown-values.ts'

export class KeyringError extends Error {
  override readonly name = 'KeyringError'
}

export interface Keyring {
  /** @param context the owner and the purpose. `open` needs the same context */
  seal(plaintext: Uint8Array, context: string): Buffer
  /** @throws KeyringError if the key is missing, or if the bytes or the context differ */
  open(sealed: Uint8Array, context: string): Buffer
  hasKeyFor(header: Uint8Array): boolean
  isOutdated(sealed: Uint8Array): boolean
}

export const KEY_BYTES = 32
const CIPHER = 'aes-256-gcm'
const VERSION = 1
const KEY_ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16
export const HEADER_BYTES = 1 + KEY_ID_BYTES
const TAG_AT = HEADER_BYTES + NONCE_BYTES
const CIPHERTEXT_AT = TAG_AT + TAG_BYTES

interface Key {
  header: Buffer
  /** Created once, because creating it takes longer than decrypting a short value. */
  secret: KeyObject
}

/**
 * Encrypts with the newest key, and decrypts with any, so that keys can be replaced. A sealed value is: version (1 byte),
 * key ID (4), nonce (12, random), tag (16), ciphertext. The version, the key ID and the context are authenticated, too.
 * @param secrets newest first
 */
export function createKeyring(secrets: readonly Buffer[]): Keyring {
  const keys = secrets.map(toKey)
  const [newest] = keys
  if (!newest) throw new KeyringError('There is no encryption key.')

  return {
    seal(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, newest.secret, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(authenticated(newest, context))
      const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
      return Buffer.concat([newest.header, nonce, cipher.getAuthTag(), ciphertext])
    },

    open(sealed, context) {
      const key = keys.find((candidate) => isSealedBy(candidate, sealed))
      if (!key) throw new KeyringError('This was sealed with an encryption key that is missing.')
      const nonce = sealed.subarray(HEADER_BYTES, TAG_AT)
      const tag = sealed.subarray(TAG_AT, CIPHERTEXT_AT)
      const ciphertext = sealed.subarray(CIPHERTEXT_AT)
      try {
        const decipher = createDecipheriv(CIPHER, key.secret, nonce, { authTagLength: TAG_BYTES })
        decipher.setAAD(authenticated(key, context))
        decipher.setAuthTag(tag)
        return Buffer.concat([decipher.update(ciphertext), decipher.final()])
      } catch (cause) {
        throw new KeyringError(
          'This was changed after it was sealed, or was sealed for another purpose.',
          { cause },
        )
      }
    },

    hasKeyFor: (header) => keys.some((key) => isSealedBy(key, header)),

    isOutdated: (sealed) => !isSealedBy(newest, sealed),
  }
}

function toKey(secret: Buffer): Key {
  if (secret.length !== KEY_BYTES) {
    throw new KeyringError(`An encryption key must have ${KEY_BYTES} bytes.`)
  }
  const id = createHash('sha256').update(secret).digest().subarray(0, KEY_ID_BYTES)
  return { header: Buffer.concat([Buffer.of(VERSION), id]), secret: createSecretKey(secret) }
}

function isSealedBy({ header }: Key, sealed: Uint8Array): boolean {
  return header.equals(sealed.subarray(0, HEADER_BYTES))
}

function authenticated({ header }: Key, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context)])
}

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
