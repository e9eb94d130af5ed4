import { expect, test } from 'vitest'
import { generatePassword, hashPassword, isPassword } from '../../../src/service/store/sign-in.ts'

test('generates different passwords of 24 letters and digits', () => {
  const passwords = Array.from({ length: 100 }, generatePassword)
  expect(passwords.filter((password) => !/^[0-9A-Za-z]{24}$/.test(password))).toEqual([])
  expect(new Set(passwords).size).toBe(100)
})

test('recognizes only the password of a hash', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toMatch(/^[0-9a-f]{32}:[0-9a-f]{64}$/)
  expect(await hashPassword('correct horse')).not.toBe(hash)
  expect(await isPassword('correct horse', hash)).toBe(true)
  expect(await isPassword('Correct horse', hash)).toBe(false)
})
