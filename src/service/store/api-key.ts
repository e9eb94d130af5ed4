import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'bh_'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const FORMAT = /^bh_[0-9A-Za-z]{38}$/

/** How many characters of a key are stored in plain text, so that people recognize it in a list. */
const SHOWN_LENGTH = 8

/** Generates an API key: `bh_`, 32 random base62 characters, and a checksum of 6 characters. */
export function generateApiKey(): string {
  const random = randomBase62(RANDOM_LENGTH)
  return PREFIX + random + checksum(random)
}

/** Whether a text has the format of a key. The checksum catches typos without a database query. */
export function isApiKey(text: string): boolean {
  if (!FORMAT.test(text)) return false
  const random = text.slice(PREFIX.length, -CHECKSUM_LENGTH)
  return text.endsWith(checksum(random))
}

/**
 * The hash that is stored instead of the key, in hexadecimal. A fast hash without salt is enough:
 * a key has 190 random bits, too many to guess.
 */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** The first characters of a key, as lists show them. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, SHOWN_LENGTH)
}

function checksum(random: string): string {
  return toBase62(crc32(random), CHECKSUM_LENGTH)
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random letters and digits, unbiased and from a cryptographic source. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('')
}

/** A whole number from 0 in base 62, padded with zeros to a fixed length. */
function toBase62(value: number, length: number): string {
  let rest = value
  let text = ''
  while (text.length < length) {
    text = BASE62.charAt(rest % BASE62.length) + text
    rest = Math.floor(rest / BASE62.length)
  }
  return text
}
