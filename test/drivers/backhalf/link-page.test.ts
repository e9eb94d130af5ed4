import { expect, test } from 'vitest'
import { ResponseShapeError } from '../../../src/port/failures.ts'
import { readLinkPage } from '../../../src/drivers/backhalf/link-page.ts'

const REQUESTED = { status: 200, page: 1, perPage: 2 }
const A = { name: 'a', destination_url: 'https://a.example/', shortlink_url: 'https://s.example/a' }
const B = { name: 'b', destination_url: 'https://b.example/', shortlink_url: 'https://s.example/b' }

test('reads our own service’s list with its times, clicks and totals', () => {
  const times = { created_at: '2026-03-01T12:00:00.000Z', updated_at: '2026-03-02T12:00:00.000Z' }
  const json = {
    data: {
      status: 'success',
      message: 'Two links.',
      shortlinks: [{ ...A, ...times, clicks: 12, title: 'A', extra: true }, B],
      pagination: { page: 1, per_page: 2, total_items: 5, total_pages: 3 },
    },
  }
  expect(readLinkPage(json, REQUESTED)).toEqual({
    links: [{ ...A, ...times, clicks: 12, title: 'A' }, B],
    skipped: 0,
    totalItems: 5,
    totalPages: 3,
    hasNext: true,
  })
})

test.each([
  ['a bare array', [A]],
  ['an array under another name', { result: { items: [A] } }],
  ['an array after others', { warnings: [], domains: [{ name: 'd' }], deep: { links: [A] } }],
  ['an array in an array', [[A]]],
])('finds %s', (_shape, json) => {
  expect(readLinkPage(json, REQUESTED)).toEqual({ links: [A], skipped: 0, hasNext: false })
})

test('a search’s has_more says that more links match than are listed, not that there is a page', () => {
  const json = { items: [A, B], pagination: { total_items: 4, total_pages: 2, has_more: true } }
  const searched = { ...REQUESTED, isSearch: true }
  const last = readLinkPage(json, { ...searched, page: 2 })
  expect(last).toMatchObject({ hasNext: false, hasMore: true })
  expect(readLinkPage(json, searched)).toMatchObject({ hasNext: true, hasMore: true })
  expect(readLinkPage({ items: [A, B], has_more: true }, searched)).not.toHaveProperty('hasMore')
  expect(readLinkPage(json, { ...REQUESTED, page: 2 })).not.toHaveProperty('hasMore')
})

test('reads an empty array as an empty last page', () => {
  const empty = { links: [], skipped: 0, hasNext: false }
  expect(readLinkPage({ data: { shortlinks: [] } }, REQUESTED)).toEqual(empty)
  expect(readLinkPage({ data: [], total: 100 }, REQUESTED)).toEqual({ ...empty, totalItems: 100 })
})

test('skips and counts items that are not links', () => {
  const requested = { ...REQUESTED, perPage: 4 }
  const items = [null, 'x', { ...A, shortlink_url: 'javascript:alert(1)' }, B]
  expect(readLinkPage({ items }, requested)).toMatchObject({ links: [B], skipped: 3 })
  const invalid = [{ ...A, name: 7, tags: [] }]
  expect(readLinkPage({ items: invalid }, REQUESTED)).toMatchObject({ links: [], skipped: 1 })
})

test('ignores optional members that are null or of another type', () => {
  const nulls = { title: null, preview_title: null, qr_code_enabled: null }
  const others = { is_custom_preview: 1, preview_description: 7, preview_image: '', clicks: '12' }
  const odd = { ...A, ...nulls, ...others, created_at: 'yesterday' }
  expect(readLinkPage([odd], REQUESTED).links).toEqual([A])
})

test.each([
  ['a full page without totals', true, { items: [A, B] }],
  ['a partial page without totals', false, { items: [A] }],
  ['a full page with an invalid item', true, { items: [A, null] }],
  ['more items in total', true, { items: [A, B], meta: { totalCount: 3 } }],
  ['two totals, of which the first counts', true, { items: [A, B], total: 3, meta: { TOTAL: 2 } }],
  ['no more items in total', false, { items: [A, B], meta: { total: '2' } }],
  ['more pages in total', true, { items: [A], meta: { last_page: 2 } }],
  ['no more pages in total', false, { items: [A, B], meta: { pages: 1 } }],
  ['has_more on a partial page', true, { items: [A], has_more: true }],
  ['hasNext: false on a full page', false, { items: [A, B], pagination: { hasNext: false } }],
  ['a page size that is smaller than requested', true, { items: [A], page_size: 1 }],
  ['totals only inside the items', false, { items: [{ ...A, total: 99, pages: 9 }] }],
])('with %s, hasNext is %s', (_name, hasNext, json) => {
  expect(readLinkPage(json, REQUESTED).hasNext).toBe(hasNext)
})

test.each([
  ['an object without a list', { data: { status: 'success' } }],
  ['a list of something else', { domains: [{ name: 'd', domain_name: 'x.example' }] }],
  ['text', 'ok'],
  ['null', null],
])('rejects %s', (_name, json) => {
  expect(() => readLinkPage(json, REQUESTED)).toThrow(
    new ResponseShapeError(200, 'JSON without a list of links'),
  )
})

test('rejects a list that is nested too deep', () => {
  let deep: unknown = [A]
  for (let level = 0; level < 5_000; level++) deep = { deeper: deep }
  expect(() => readLinkPage(deep, REQUESTED)).toThrow(ResponseShapeError)
})

/** A hundred thousand items that look like links. */
const many = (item: unknown): unknown[] => Array.from({ length: 100_000 }, () => item)

test('reads at most a page of a service that sends all links at once', () => {
  const items = [A, B, A, B, A]
  expect(readLinkPage({ items }, { ...REQUESTED, page: 2 })).toMatchObject({
    links: [A, B],
    skipped: 0,
    totalItems: 5,
    totalPages: 3,
    hasNext: true,
  })
  expect(readLinkPage(many(A), REQUESTED)).toMatchObject({ links: [A, A], totalItems: 100_000 })
})

test('reads at most a hundred items of a service’s own page', () => {
  const page = readLinkPage({ total: 1_000_000, items: many(A) }, REQUESTED)
  expect(page).toMatchObject({ totalItems: 1_000_000, hasNext: true })
  expect(page.links).toHaveLength(100)
})
