import { createHash, randomInt } from 'node:crypto'

const PREFIX = 'bh_'
const RANDOM_LENGTH = 38
const FORMAT = /^bh_[0-9A-Za-z]{38}$/

/** How many characters of a key are stored in plain text, so that people recognize it in a list. */
const SHOWN_LENGTH = 8

/** Generates an API key: `bh_` and 38 random base62 characters. */
export function generateApiKey(): string {
  return PREFIX + randomBase62(RANDOM_LENGTH)
}

/** Whether a text has the format of a key. */
export function isApiKey(text: string): boolean {
  return FORMAT.test(text)
}

/**
 * The hash that is stored instead of the key, in hexadecimal. A fast hash without salt is enough:
 * a key has 226 random bits, too many to guess.
 */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** The first characters of a key, as lists show them. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, SHOWN_LENGTH)
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random letters and digits, unbiased and from a cryptographic source. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('')
}
