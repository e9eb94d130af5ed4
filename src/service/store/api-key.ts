import { createHash, randomInt } from 'node:crypto'

const KEY_START = 'bh_'
const RANDOM_LENGTH = 38
const FORMAT = /^bh_[0-9A-Za-z]{38}$/

/** The start of a key, such as `bh_4Kx9a`, is stored in plain text, so that people recognize the key in a list. */
const PREFIX_LENGTH = 8

export function generateApiKey(): string {
  return KEY_START + randomBase62(RANDOM_LENGTH)
}

export function isApiKey(text: string): boolean {
  return FORMAT.test(text)
}

/** A fast hash without salt is enough: a key has 226 random bits, too many to guess. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

export function apiKeyPrefix(key: string): string {
  return key.slice(0, PREFIX_LENGTH)
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('')
}
