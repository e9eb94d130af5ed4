import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { KeyringError } from './keyring-error.ts'

/** Encrypts what is secret, for one purpose each, and notices any change to it. */
export interface Keyring {
  /**
   * Encrypts with the newest key.
   *
   * @param context whose it is and what for; the same is needed to open it
   */
  seal(plaintext: Uint8Array, context: string): Buffer
  /** @throws KeyringError when the key is not there, or the bytes or the context differ */
  open(sealed: Uint8Array, context: string): Buffer
  /** Whether something was sealed with an older key than the newest. */
  isOutdated(sealed: Uint8Array): boolean
}

/** Length of an encryption key. */
export const KEY_BYTES = 32

const CIPHER = 'aes-256-gcm'
const VERSION = 1
const KEY_ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + KEY_ID_BYTES

interface Key {
  /** Version and key id, as they stand in front of what the key sealed. */
  header: Buffer
  secret: Buffer
}

/**
 * AES-256-GCM. A sealed value is: version (1 byte), key id (4), nonce (12, random), tag (16),
 * ciphertext. Version, key id and context are authenticated with it.
 *
 * @param secrets of 32 bytes, newest first: the first one seals, all of them open
 * @throws KeyringError when there is none, or one has another length
 */
export function createKeyring(secrets: readonly Buffer[]): Keyring {
  const keys = secrets.map(asKey)
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
      const key = keys.find((one) => isSealedBy(one, sealed))
      if (!key) throw new KeyringError('This was sealed with an encryption key that is not there.')
      const [nonce, tag, ciphertext] = split(Buffer.from(sealed), HEADER_BYTES)
      try {
        const decipher = createDecipheriv(CIPHER, key.secret, nonce, { authTagLength: TAG_BYTES })
        decipher.setAAD(authenticated(key, context))
        decipher.setAuthTag(tag)
        return Buffer.concat([decipher.update(ciphertext), decipher.final()])
      } catch (cause) {
        throw new KeyringError('This was changed after it was sealed, or is not for this use.', {
          cause,
        })
      }
    },

    isOutdated: (sealed) => !isSealedBy(newest, sealed),
  }
}

function asKey(secret: Buffer): Key {
  if (secret.length !== KEY_BYTES) {
    throw new KeyringError(`An encryption key must have ${KEY_BYTES} bytes.`)
  }
  const id = createHash('sha256').update(secret).digest().subarray(0, KEY_ID_BYTES)
  return { header: Buffer.concat([Buffer.of(VERSION), id]), secret }
}

function isSealedBy({ header }: Key, sealed: Uint8Array): boolean {
  return header.equals(sealed.subarray(0, HEADER_BYTES))
}

function authenticated({ header }: Key, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context)])
}

function split(sealed: Buffer, from: number): [nonce: Buffer, tag: Buffer, ciphertext: Buffer] {
  const tagAt = from + NONCE_BYTES
  const ciphertextAt = tagAt + TAG_BYTES
  return [
    sealed.subarray(from, tagAt),
    sealed.subarray(tagAt, ciphertextAt),
    sealed.subarray(ciphertextAt),
  ]
}
