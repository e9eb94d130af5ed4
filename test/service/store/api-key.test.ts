import { expect, test } from 'vitest'
import {
  apiKeyPrefix,
  generateApiKey,
  hashApiKey,
  isApiKey,
} from '../../../src/service/store/api-key.ts'

test('generates bh_, 32 random characters and a checksum of 6 characters', () => {
  const key = generateApiKey()
  expect(key).toMatch(/^bh_[0-9A-Za-z]{38}$/)
  expect(isApiKey(key)).toBe(true)
  expect(generateApiKey()).not.toBe(key)
})

test('the checksum catches one wrong character', () => {
  const key = generateApiKey()
  for (let at = 3; at < key.length; at++) {
    const other = key[at] === 'A' ? 'B' : 'A'
    expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
  }
})

test.each(['', 'bh_', 'bh_short', 'xx_' + '0'.repeat(38), 'bh_' + '0'.repeat(39)])(
  'rejects “%s”',
  (text) => {
    expect(isApiKey(text)).toBe(false)
  },
)

test('stores a hash and a prefix, but not the key', () => {
  const key = generateApiKey()
  expect(hashApiKey(key)).toMatch(/^[0-9a-f]{64}$/)
  expect(key.startsWith(apiKeyPrefix(key))).toBe(true)
  expect(apiKeyPrefix(key)).toHaveLength(8)
})
