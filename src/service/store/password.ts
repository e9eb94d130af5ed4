import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { randomBase62 } from './base62.ts'

/** 24 random base62 characters: 142 bits. */
const LENGTH = 24

/** About 0.1 s and 64 MB for each attempt (OWASP's recommendation for scrypt). */
const COST: ScryptOptions = { N: 2 ** 16, r: 8, p: 2, maxmem: 128 * 1024 * 1024 }
const KEY_BYTES = 32

/** Generates a password. Users can't choose one, so it is always strong. */
export function generatePassword(): string {
  return randomBase62(LENGTH)
}

/** The stored form of a password: the salt and scrypt's key, in hexadecimal. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return `${salt.toString('hex')}:${(await derive(password, salt)).toString('hex')}`
}

/** Whether a password matches a hash, in constant time. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [salt = '', key = ''] = hash.split(':')
  const derived = await derive(password, Buffer.from(salt, 'hex'))
  return timingSafeEqual(derived, Buffer.from(key, 'hex'))
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize(), salt, KEY_BYTES, COST, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
}
