import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { KeyringError } from '../../src/workspaces/keyring-error.ts'
import { loadOrCreateKeys, parseKeys } from '../../src/workspaces/encryption-keys.ts'
import { makeTempDir } from '../support/temp-dir.ts'

const ONE = randomBytes(32)
const TWO = randomBytes(32)

let directory: string
beforeEach(async () => {
  const made = await makeTempDir()
  directory = made.path
  return () => made.remove()
})

test('keys are read in their order, with spaces and a line break around them', () => {
  const text = ` ${ONE.toString('base64')} ,${TWO.toString('base64url')}\n`
  expect(parseKeys(text)).toEqual([ONE, TWO])
})

test.each([
  ['', 'Encryption key 1 of 1'],
  [`${ONE.toString('base64')},`, 'Encryption key 2 of 2'],
  [`${ONE.toString('base64')},${ONE.toString('hex')}`, 'Encryption key 2 of 2'],
  [randomBytes(31).toString('base64'), 'Encryption key 1 of 1'],
  ['not-a-secret-at-all', 'Encryption key 1 of 1'],
])('a wrong key (%j) is named by its position, never its value', (text, position) => {
  let message = ''
  try {
    parseKeys(text)
  } catch (error) {
    if (error instanceof KeyringError) message = error.message
  }
  expect(message).toContain(position)
  const values = text.split(',').filter((value) => value !== '')
  expect(values.filter((value) => message.includes(value))).toEqual([])
})

test('the key file is made once, for its owner alone, and read from then on', async () => {
  const path = join(directory, 'data', 'encryption.keys')
  const keys = await loadOrCreateKeys(path)
  expect(keys.map((key) => key.length)).toEqual([32])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(parseKeys(await readFile(path, 'utf8'))).toEqual(keys)
  expect(await loadOrCreateKeys(path)).toEqual(keys)
})

test('whoever starts at the same time gets the same key, and nothing is left behind', async () => {
  const path = join(directory, 'encryption.keys')
  const all = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateKeys(path)))
  expect(new Set(all.map(([key]) => key?.toString('hex'))).size).toBe(1)
  expect(await readdir(directory)).toEqual(['encryption.keys'])
})

test('a key file that holds something else is refused, and left as it is', async () => {
  const path = join(directory, 'encryption.keys')
  await writeFile(path, 'something else')
  await expect(loadOrCreateKeys(path)).rejects.toThrow(KeyringError)
  expect(await readFile(path, 'utf8')).toBe('something else')
})
