import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from './base62.ts'

const PREFIX = 'bh_'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const FORM = /^bh_[0-9A-Za-z]{38}$/

/** How much of a key is kept in the clear, so that people recognise it in a list. */
const SHOWN_LENGTH = 8

/** A new API key: `bh_`, 32 random base62 characters, and a checksum of 6. */
export function generateApiKey(): string {
  const random = randomBase62(RANDOM_LENGTH)
  return PREFIX + random + checksum(random)
}

/** Whether a text can be a key at all. Mistyped ones are told without asking the database. */
export function isApiKey(text: string): boolean {
  if (!FORM.test(text)) return false
  const random = text.slice(PREFIX.length, -CHECKSUM_LENGTH)
  return text.endsWith(checksum(random))
}

/**
 * What is stored of a key, hexadecimal. A fast hash is enough here, without salt: a key has 190
 * random bits, so there is nothing to try out.
 */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** The key's first characters, as lists show them. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, SHOWN_LENGTH)
}

function checksum(random: string): string {
  return toBase62(crc32(random), CHECKSUM_LENGTH)
}
