import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import { randomBase62 } from './api-key.ts'
import { createToken, endTokens } from './sessions.ts'

const MINUTE_MS = 60_000
const MAX_FAILURES = 5
const LOCKED_MS = 15 * MINUTE_MS
const ID = 'administrator'

type SignInResult =
  | { outcome: 'signed_in'; session: string }
  | { outcome: 'wrong' }
  | { outcome: 'locked'; minutes: number }

export async function setPassword({ write }: Pick<Database, 'write'>, now: number) {
  const password = generatePassword()
  await write(storePassword(await hashPassword(password), now))
  return password
}

export const storePassword = defineWrite(async function storePassword(
  transaction,
  hash: string,
  now: number,
) {
  const row = { id: ID, hash, failures: 0, locked_until: 0 } as const
  await transaction
    .insertInto('dashboard_passwords')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
  await endTokens(transaction, now).execute()
})

/** After five wrong passwords, only sign-in links work for 15 minutes. So, an attacker can't lock anyone out. */
export async function signInByPassword(
  db: Db,
  password: string,
  now: number,
): Promise<SignInResult> {
  // The attempt counts as a failure before the password is checked, so that simultaneous attempts all count.
  const row = await db
    .updateTable('dashboard_passwords')
    .set((is) => ({ failures: is('failures', '+', 1) }))
    .where('locked_until', '<=', now)
    .returningAll()
    .executeTakeFirst()
  if (!row) {
    const locked = await db.selectFrom('dashboard_passwords').selectAll().executeTakeFirst()
    if (!locked) return { outcome: 'wrong' }
    return { outcome: 'locked', minutes: Math.ceil((locked.locked_until - now) / MINUTE_MS) }
  }
  if (row.failures <= MAX_FAILURES && (await isPassword(password, row.hash))) {
    await db.updateTable('dashboard_passwords').set({ failures: 0 }).execute()
    return { outcome: 'signed_in', session: await createToken(db, 'session', now) }
  }
  if (row.failures < MAX_FAILURES) return { outcome: 'wrong' }
  await db
    .updateTable('dashboard_passwords')
    .set({ failures: 0, locked_until: now + LOCKED_MS })
    .execute()
  return { outcome: 'locked', minutes: LOCKED_MS / MINUTE_MS }
}

const PASSWORD_LENGTH = 24 // 142 random bits

// About 0.1 s and 64 MB for each attempt (OWASP's recommendation for scrypt).
const COST: ScryptOptions = { N: 2 ** 16, r: 8, p: 2, maxmem: 128 * 1024 * 1024 }
const KEY_BYTES = 32

export function generatePassword(): string {
  return randomBase62(PASSWORD_LENGTH)
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return `${salt.toString('hex')}:${(await derive(password, salt)).toString('hex')}`
}

export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [salt = '', key = ''] = hash.split(':')
  const derived = await derive(password, Buffer.from(salt, 'hex'))
  return timingSafeEqual(derived, Buffer.from(key, 'hex'))
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  const hash = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
  return hash(password.normalize(), salt, KEY_BYTES, COST)
}
