import { expect, test } from 'vitest'
import { backHalfFault, generateBackHalf, isBackHalf } from '../../src/service/store/back-half.ts'

test.each(['a', 'Spring-Sale_2027', '-', 'x'.repeat(100)])('“%s” can be a back-half', (text) => {
  expect(backHalfFault(text)).toBeUndefined()
})

test.each(['a/b', 'a b', 'café', '.well-known', 'robots.txt', '../up', 'x'.repeat(101), 'a\n'])(
  '“%s” has characters that a back-half can’t have, or too many',
  (text) => {
    expect(backHalfFault(text)).toMatch(/letters, digits/)
  },
)

test.each(['api', 'API', 'Dashboard', 'healthz', 'preview-images', 'qr'])(
  '“%s” is reserved',
  (text) => {
    expect(backHalfFault(text)).toMatch(/reserved/)
  },
)

test('generated back-halves are at least 7 characters, and differ', () => {
  const made = Array.from({ length: 1000 }, generateBackHalf)
  expect(made.filter((text) => text.length < 7 || !isBackHalf(text))).toEqual([])
  expect(new Set(made).size).toBe(1000)
})
