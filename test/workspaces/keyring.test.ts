import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { expect } from 'vitest'
import {
  createKeyring,
  KeyringError,
  loadOrCreateKeys,
  parseKeys,
} from '../../src/workspaces/keyring.ts'
import { withDirectory } from '../support/fixtures.ts'

const { test, directory, at } = withDirectory()

const OLD = randomBytes(32)
const NEW = randomBytes(32)
const SECRET = Buffer.from('bh_secret')

test('opens what it sealed, with the same context and no other', () => {
  const keyring = createKeyring([NEW])
  expect(keyring.open(keyring.seal(SECRET, 'T1'), 'T1')).toEqual(SECRET)
  expect(keyring.open(keyring.seal(Buffer.alloc(0), 'T1'), 'T1')).toEqual(Buffer.alloc(0))
  expect(() => keyring.open(keyring.seal(SECRET, 'T1'), 'T2')).toThrow(KeyringError)
})

test('seals the same text to different bytes each time, none of which contain the text', () => {
  const keyring = createKeyring([NEW])
  const [one, two] = [keyring.seal(SECRET, 'T1'), keyring.seal(SECRET, 'T1')]
  expect(one.equals(two)).toBe(false)
  expect(one.includes(SECRET)).toBe(false)
})

test('still opens with the old key after a rotation, and seals with the new one', () => {
  const sealed = createKeyring([OLD]).seal(SECRET, 'T1')
  const rotated = createKeyring([NEW, OLD])
  expect(rotated.open(sealed, 'T1')).toEqual(SECRET)
  expect(rotated.isOutdated(sealed)).toBe(true)
  const renewed = rotated.seal(SECRET, 'T1')
  expect(rotated.isOutdated(renewed)).toBe(false)
  expect(createKeyring([NEW]).open(renewed, 'T1')).toEqual(SECRET)
})

test('refuses to open what a missing key sealed', () => {
  const sealed = createKeyring([OLD]).seal(SECRET, 'T1')
  expect(() => createKeyring([NEW]).open(sealed, 'T1')).toThrow(
    new KeyringError('This was sealed with an encryption key that is missing.'),
  )
})

test('detects every changed, missing or added byte', () => {
  const keyring = createKeyring([NEW])
  const sealed = keyring.seal(SECRET, 'T1')
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
    expect(() => keyring.open(changed, 'T1'), `byte ${index} changed`).toThrow(KeyringError)
    expect(() => keyring.open(sealed.subarray(0, index), 'T1'), `cut after ${index}`).toThrow(
      KeyringError,
    )
  }
  expect(() => keyring.open(Buffer.concat([sealed, Buffer.of(0)]), 'T1')).toThrow(KeyringError)
})

test('requires at least one key, and 32 bytes for each', () => {
  expect(() => createKeyring([])).toThrow(KeyringError)
  expect(() => createKeyring([NEW, Buffer.alloc(16)])).toThrow(
    new KeyringError('An encryption key must have 32 bytes.'),
  )
})

const ONE = randomBytes(32)
const TWO = randomBytes(32)

test.each([
  ['a comma between them', ' ONE ,TWO\n'],
  ['one per line', 'ONE\nTWO\n'],
  ['one per line, as an editor on Windows saves it', '\ufeffONE\r\nTWO\r\n'],
  ['a comma at the start of a line', 'ONE\n, TWO'],
])('parses keys in their order, with %s', (_how, text) => {
  const keys = text.replace('ONE', ONE.toString('base64')).replace('TWO', TWO.toString('base64url'))
  expect(parseKeys(keys)).toEqual([ONE, TWO])
})

test.each([
  ['', 'Encryption key 1 of 1'],
  [`${ONE.toString('base64')},`, 'Encryption key 2 of 2'],
  [`,${ONE.toString('base64')}`, 'Encryption key 1 of 2'],
  [`${ONE.toString('base64')},${ONE.toString('hex')}`, 'Encryption key 2 of 2'],
  [`\r\n${ONE.toString('base64')}\r\n\r\nsecond-key\r\n`, 'Encryption key 2 of 2'],
  ['not-a-secret-at-all', 'Encryption key 1 of 1'],
])('names an invalid key by its position and never shows its value: %j', (text, position) => {
  let message = ''
  try {
    parseKeys(text)
  } catch (error) {
    if (error instanceof KeyringError) message = error.message
  }
  expect(message).toContain(position)
  const values = text.split(/[,\s]+/).filter((value) => value !== '')
  expect(values.filter((value) => message.includes(value))).toEqual([])
})

test('creates the key file once, readable only by its owner, and reads it from then on', async () => {
  const path = at('data/encryption.keys')
  const keys = await loadOrCreateKeys(path)
  expect(keys.map((key) => key.length)).toEqual([32])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(parseKeys(await readFile(path, 'utf8'))).toEqual(keys)
  expect(await loadOrCreateKeys(path)).toEqual(keys)
})

test('gives processes that start at the same time the same key, and leaves no temporary file', async () => {
  const path = at('encryption.keys')
  const all = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateKeys(path)))
  expect(new Set(all.map(([key]) => key?.toString('hex'))).size).toBe(1)
  expect(await readdir(directory.path)).toEqual(['encryption.keys'])
})

test('refuses a key file with invalid content and leaves it unchanged', async () => {
  const path = at('encryption.keys')
  await writeFile(path, 'something else')
  const error = new KeyringError(
    `${path}: Encryption key 1 of 2 is not 32 bytes in base64. Make one with: openssl rand -base64 32`,
  )
  await expect(loadOrCreateKeys(path)).rejects.toThrow(error)
  expect(await readFile(path, 'utf8')).toBe('something else')
})
