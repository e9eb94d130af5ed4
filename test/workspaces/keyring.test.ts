import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeyring } from '../../src/workspaces/keyring.ts'
import { KeyringError } from '../../src/workspaces/keyring-error.ts'

const OLD = randomBytes(32)
const NEW = randomBytes(32)
const SECRET = Buffer.from('bh_secret')

test('what was sealed opens again, in the same context', () => {
  const keyring = createKeyring([NEW])
  expect(keyring.open(keyring.seal(SECRET, 'T1'), 'T1')).toEqual(SECRET)
  expect(keyring.open(keyring.seal(Buffer.alloc(0), 'T1'), 'T1')).toEqual(Buffer.alloc(0))
})

test('sealing twice gives different bytes, and none of them is the text', () => {
  const keyring = createKeyring([NEW])
  const [one, two] = [keyring.seal(SECRET, 'T1'), keyring.seal(SECRET, 'T1')]
  expect(one.equals(two)).toBe(false)
  expect(one.includes(SECRET)).toBe(false)
})

test('after a rotation the old key still opens, and the new one seals', () => {
  const sealed = createKeyring([OLD]).seal(SECRET, 'T1')
  const rotated = createKeyring([NEW, OLD])
  expect(rotated.open(sealed, 'T1')).toEqual(SECRET)
  expect(rotated.isOutdated(sealed)).toBe(true)
  const renewed = rotated.seal(SECRET, 'T1')
  expect(rotated.isOutdated(renewed)).toBe(false)
  expect(createKeyring([NEW]).open(renewed, 'T1')).toEqual(SECRET)
})

test('without its key it stays shut', () => {
  const sealed = createKeyring([OLD]).seal(SECRET, 'T1')
  expect(() => createKeyring([NEW]).open(sealed, 'T1')).toThrow(
    new KeyringError('This was sealed with an encryption key that is not there.'),
  )
})

test('any changed, missing or added byte is noticed', () => {
  const keyring = createKeyring([NEW])
  const sealed = keyring.seal(SECRET, 'T1')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(() => keyring.open(changed, 'T1'), `byte ${at}`).toThrow(KeyringError)
    expect(() => keyring.open(sealed.subarray(0, at), 'T1'), `cut at ${at}`).toThrow(KeyringError)
  }
  expect(() => keyring.open(Buffer.concat([sealed, Buffer.of(0)]), 'T1')).toThrow(KeyringError)
})

test('what was sealed for one context does not open in another', () => {
  const keyring = createKeyring([NEW])
  expect(() => keyring.open(keyring.seal(SECRET, 'T1'), 'T2')).toThrow(KeyringError)
})

test('a keyring needs a key, and keys need 32 bytes', () => {
  expect(() => createKeyring([])).toThrow(KeyringError)
  expect(() => createKeyring([NEW, Buffer.alloc(16)])).toThrow(
    new KeyringError('An encryption key must have 32 bytes.'),
  )
})
