import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeyring, KeyringError } from '../../src/workspaces/keyring.ts'

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
