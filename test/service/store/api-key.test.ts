import { expect, test } from 'vitest'
import {
  apiKeyPrefix,
  generateApiKey,
  hashApiKey,
  isApiKey,
} from '../../../src/service/store/api-key.ts'

test('generates bh_ and 38 random characters', () => {
  const key = generateApiKey()
  expect(key).toMatch(/^bh_[0-9A-Za-z]{38}$/)
  expect(isApiKey(key)).toBe(true)
  expect(generateApiKey()).not.toBe(key)
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
