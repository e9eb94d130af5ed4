import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'

type ScryptArguments = [
  password: crypto.BinaryLike,
  salt: crypto.BinaryLike,
  length: number,
  options: crypto.ScryptOptions,
  done: (error: Error | null, key: Buffer) => void,
]

/**
 * Makes hashing passwords cheap until the end of the test. Each hash takes a quarter of a second
 * of CPU time on purpose, so tests that hash many times call this.
 */
export function hashPasswordsCheaply(): void {
  const { scrypt } = crypto
  function cheapScrypt(...[password, salt, length, , done]: ScryptArguments): void {
    scrypt(password, salt, length, { N: 2 ** 10 }, done)
  }
  crypto.scrypt = cheapScrypt as typeof scrypt
  syncBuiltinESMExports()
  onTestFinished(() => {
    crypto.scrypt = scrypt
    syncBuiltinESMExports()
  })
}
