import { expect, test } from 'vitest'
import { ResponseShapeError } from '../../src/client/errors/response-shape-error.ts'
import { readLinkPage } from '../../src/client/link-page.ts'

const ASKED = { status: 200, page: 1, perPage: 2 }
const A = { name: 'a', destination_url: 'https://a.example/', shortlink_url: 'https://s.example/a' }
const B = { name: 'b', destination_url: 'https://b.example/', shortlink_url: 'https://s.example/b' }

test('our own service’s list is read with its times, visits and totals', () => {
  const times = { created_at: '2026-03-01T12:00:00.000Z', updated_at: '2026-03-02T12:00:00.000Z' }
  const json = {
    data: {
      status: 'success',
      message: 'Two links.',
      shortlinks: [{ ...A, ...times, clicks: 12, title: 'A', extra: true }, B],
      pagination: { page: 1, per_page: 2, total_items: 5, total_pages: 3 },
    },
  }
  expect(readLinkPage(json, ASKED)).toEqual({
    links: [{ ...A, ...times, clicks: 12, title: 'A' }, B],
    skipped: 0,
    page: 1,
    perPage: 2,
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
])('%s is found', (_shape, json) => {
  expect(readLinkPage(json, ASKED)).toEqual({
    links: [A],
    skipped: 0,
    page: 1,
    perPage: 2,
    hasNext: false,
  })
})

test('an empty array is an empty page, with nothing after it', () => {
  const empty = { links: [], skipped: 0, page: 1, perPage: 2, hasNext: false }
  expect(readLinkPage({ data: { shortlinks: [] } }, ASKED)).toEqual(empty)
  expect(readLinkPage({ data: [], total: 100 }, ASKED)).toEqual({ ...empty, totalItems: 100 })
})

test('an item that is no link is skipped and counted', () => {
  const items = [null, 'x', { ...A, shortlink_url: 'javascript:alert(1)' }, B]
  expect(readLinkPage({ items }, ASKED)).toMatchObject({ links: [B], skipped: 3 })
  const faulty = [{ ...A, name: 7, tags: [] }]
  expect(readLinkPage({ items: faulty }, ASKED)).toMatchObject({ links: [], skipped: 1 })
})

test('optional members that are null or of another type count as absent', () => {
  const odd = {
    ...A,
    title: null,
    is_custom_preview: 1,
    preview_title: null,
    preview_description: 7,
    preview_image: '',
    qr_code_enabled: null,
    created_at: 'yesterday',
    clicks: '12',
  }
  expect(readLinkPage([odd], ASKED).links).toEqual([A])
})

test.each([
  ['a full page without totals', { items: [A, B] }, true],
  ['a page without totals that is not full', { items: [A] }, false],
  ['a full page that a faulty item fills', { items: [A, null] }, true],
  ['total items', { items: [A, B], meta: { totalCount: 3 } }, true],
  ['total items that end here', { items: [A, B], meta: { total: '2' } }, false],
  ['total pages', { items: [A], meta: { last_page: 2 } }, true],
  ['total pages that end here', { items: [A, B], meta: { pages: 1 } }, false],
  ['has_more', { items: [A], has_more: true }, true],
  ['has_next against a full page', { items: [A, B], pagination: { hasNext: false } }, false],
  ['a smaller page than was asked for', { items: [A], page_size: 1 }, true],
  ['numbers inside the items', { items: [{ ...A, total: 99, pages: 9 }] }, false],
])('%s decides whether there is a next page', (_name, json, hasNext) => {
  expect(readLinkPage(json, ASKED).hasNext).toBe(hasNext)
})

test.each([
  ['an object without a list', { data: { status: 'success' } }],
  ['a list of something else', { domains: [{ name: 'd', domain_name: 'x.example' }] }],
  ['text', 'ok'],
  ['null', null],
])('%s is no list of links', (_name, json) => {
  expect(() => readLinkPage(json, ASKED)).toThrow(
    new ResponseShapeError(200, 'JSON that holds no list of links'),
  )
})

test('an answer made to tire us out is searched only so far', () => {
  let deep: unknown = [A]
  for (let level = 0; level < 5_000; level++) deep = { deeper: deep }
  expect(() => readLinkPage(deep, ASKED)).toThrow(ResponseShapeError)
})
