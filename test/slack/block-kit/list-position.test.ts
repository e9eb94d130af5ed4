import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LinkPage } from '../../../src/client/link-client.ts'
import { SORT_FIELDS, SORT_ORDERS } from '../../../src/contract/list-query.ts'
import {
  decodeListPosition,
  encodeListPosition,
  FIRST_PAGE,
  parsePageNumber,
  searchTextError,
  searchTextOf,
  type ListPosition,
} from '../../../src/slack/block-kit/list-position.ts'
import type { LinkService } from '../../../src/slack/links/link-service.ts'
import { listMessage } from '../../../src/slack/list/list-blocks.ts'
import { fakeCaller, fakePlatform, NO_LINK_SERVICE } from '../../support/platform.ts'

const links = (count: number): LinkPage['links'] =>
  Array.from({ length: count }, (_, index) => ({
    name: `lnk_${index + 1}`,
    destination_url: 'https://example.com/',
    shortlink_url: `https://go.example.com/n${index + 1}`,
  }))

/** A service that gives the same answer to every request. */
const fakeLinkService = (answer: Partial<LinkPage>): LinkService => ({
  ...NO_LINK_SERVICE,
  list: () =>
    Promise.resolve({ links: [], skipped: 0, page: 1, perPage: 10, hasNext: false, ...answer }),
})

/** What the list shows of a page: the numbers of the links, and the pages that its buttons lead to. */
async function shown(answer: Partial<LinkPage>, page: number) {
  const position = { sort_by: 'most_recent', order: 'desc', page } as const
  const platform = fakePlatform({ linkService: fakeLinkService(answer) })
  const { blocks } = listMessage(await platform.linkLists.fetch(fakeCaller(), position))
  const json = JSON.stringify(blocks)
  return {
    names: [...json.matchAll(/\|go\.example\.com\/n(\d+)>/g)].map(([, number]) => Number(number)),
    leadsTo: [
      ...json.matchAll(/"action_id":"list_(previous|next)","value":"most_recent:desc:(\d+)"/g),
    ].map(([, name, number]) => [name, Number(number)]),
    blocks: blocks.length,
  }
}

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('accepts a service’s own page size, within Slack’s limit', async () => {
  const ownSize = { links: links(60), totalItems: 200, totalPages: 4, hasNext: true }
  const page = await shown(ownSize, 2)
  expect(page).toMatchObject({
    names: numbers(1, 40),
    leadsTo: [
      ['previous', 1],
      ['next', 3],
    ],
  })
  expect(page.blocks).toBeLessThanOrEqual(50)
})

test('decodes what it can’t read as the first page', () => {
  expect(decodeListPosition('')).toEqual(FIRST_PAGE)
  expect(decodeListPosition('clicks:up:-1')).toEqual(FIRST_PAGE)
})

const positions: fc.Arbitrary<ListPosition> = fc.record(
  {
    sort_by: fc.constantFrom(...SORT_FIELDS),
    order: fc.constantFrom(...SORT_ORDERS),
    page: fc.integer({ min: 1, max: 999_999_999 }),
    q: fc
      .oneof(
        fc.string({ minLength: 1, maxLength: 250, unit: 'binary' }),
        fc.string({ minLength: 190, maxLength: 200, unit: 'grapheme' }),
        fc.constantFrom('検'.repeat(200), '%'.repeat(200), '🌱'.repeat(100), ':all:+%2B &amp;'),
      )
      .map(searchTextOf)
      .filter((text) => searchTextError(text) === undefined),
    mine: fc.constant(true as const),
  },
  { requiredKeys: ['sort_by', 'order', 'page'] },
)

test('decodes every position that it encodes, in ASCII that fits into a button’s value', () => {
  fc.assert(
    fc.property(positions, (position) => {
      const encoded = encodeListPosition(position)
      expect(decodeListPosition(encoded)).toEqual(position)
      expect(encoded).toMatch(/^[!-~]*$/)
      expect(encoded).not.toMatch(/[&<>]/)
      expect(encoded.length).toBeLessThanOrEqual(1_840)
    }),
  )
})

test('decodes any text to a position that can be encoded', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `created_at:asc:2:all:${text}`),
      ),
      (text) => {
        const position = decodeListPosition(text)
        expect(decodeListPosition(encodeListPosition(position))).toEqual(position)
      },
    ),
  )
})

test('writes a position with a search as text, and its parts in a fixed order', () => {
  const page = { sort_by: 'most_recent', order: 'desc', page: 2 } as const
  expect(encodeListPosition({ ...page, mine: true })).toBe('most_recent:desc:2:mine')
  expect(encodeListPosition({ ...page, q: 'a: b+ü&' })).toBe(
    'most_recent:desc:2:all:a:+b%2B%C3%BC%26',
  )
})

test('ignores a search that it would not accept from a user', () => {
  for (const text of ['ab', 'x'.repeat(201), '%', '%FF']) {
    expect(decodeListPosition(`most_recent:desc:1:all:${text}`)).toEqual(FIRST_PAGE)
  }
})

test('accepts page numbers from 1 that are not absurdly long', () => {
  expect(parsePageNumber('999999999')).toBe(999_999_999)
  for (const text of ['0', '-1', '1.5', '01', '1000000000', 'one', '']) {
    expect(parsePageNumber(text)).toBeUndefined()
  }
})
