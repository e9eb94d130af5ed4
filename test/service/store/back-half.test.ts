import { expect, test } from 'vitest'
import {
  backHalfError,
  generateBackHalf,
  isBackHalf,
} from '../../../src/service/store/back-half.ts'

test.each(['a', 'Spring-Sale_2027', '-', 'x'.repeat(100)])('accepts “%s”', (text) => {
  expect(backHalfError(text)).toBeUndefined()
})

test.each(['a/b', 'a b', 'café', '.well-known', 'robots.txt', '../up', 'x'.repeat(101), 'a\n'])(
  'rejects “%s” for its characters or its length',
  (text) => {
    expect(backHalfError(text)).toMatch(/letters, digits/)
  },
)

test.each([
  ...['api', 'API', 'Dashboard', 'healthz', 'preview-images', 'qr', 'chart', 'slack'],
  'tls-allowed',
])('rejects “%s”, which is reserved', (text) => {
  expect(backHalfError(text)).toMatch(/reserved/)
})

test('generates different back-halves of at least 7 characters', () => {
  const generated = Array.from({ length: 1000 }, generateBackHalf)
  expect(generated.filter((text) => text.length < 7 || !isBackHalf(text))).toEqual([])
  expect(new Set(generated).size).toBe(1000)
})
