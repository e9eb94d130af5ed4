import { expect, test } from 'vitest'
import { scanJson } from '../../src/client/scan-json.ts'

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

test('stops after 20,000 values', () => {
  const wide = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`m${index}`, 1]))
  expect(scanJson(wide).scalars.size).toBe(19_999)
})
