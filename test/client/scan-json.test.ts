import { expect, test } from 'vitest'
import { isWithinLimits, scanJson } from '../../src/client/scan-json.ts'

test('collects arrays and the single values outside them, in document order', () => {
  const { arrays, scalars } = scanJson({
    data: { Per_Page: 2, links: [{ id: 7, tags: ['a'] }] },
    hasMore: false,
    next: null,
  })
  expect(arrays).toEqual([
    { items: [{ id: 7, tags: ['a'] }], insideArray: false },
    { items: ['a'], insideArray: true },
  ])
  expect([...scalars]).toEqual([
    ['perpage', 2],
    ['hasmore', false],
    ['next', null],
  ])
})

test('keeps the first of several values with the same name', () => {
  expect(scanJson({ total: 1, meta: { TOTAL: 2 } }).scalars.get('total')).toBe(1)
})

test('stops at a depth of 8', () => {
  const nested = (levels: number): unknown =>
    levels === 0 ? { found: true } : { inner: nested(levels - 1) }
  expect(scanJson(nested(7)).scalars.has('found')).toBe(true)
  expect(scanJson(nested(8)).scalars.has('found')).toBe(false)
})

test.each([
  ['{"a":[1,2],"b":{"c":null}}', 6],
  ['"[[[{{{,,,"', 1],
  ['["\\"[[,", "\\\\", 3]', 4],
])('counts the values of %s', (text, values) => {
  expect(isWithinLimits(text, { maxValues: values, maxDepth: 2 })).toBe(true)
  expect(isWithinLimits(text, { maxValues: values - 1, maxDepth: 2 })).toBe(false)
})

test('rejects a document that is nested too deep', () => {
  expect(isWithinLimits('[[1],[[2]]]', { maxValues: 100, maxDepth: 3 })).toBe(true)
  expect(isWithinLimits('[[1],[[2]]]', { maxValues: 100, maxDepth: 2 })).toBe(false)
})
