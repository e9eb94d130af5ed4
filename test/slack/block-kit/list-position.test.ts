import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OUR_SORT_FIELDS, SORT_ORDERS } from '../../../src/contract/list-query.ts'
import {
  decodeListPosition,
  encodeListPosition,
  filterError,
  FIRST_PAGE,
  parsePageNumber,
  cleanSearchText,
  type ListPosition,
} from '../../../src/slack/block-kit/list-position.ts'
import { fetchList } from '../../../src/slack/links/link-lists.ts'
import { NO_RIGHTS } from '../../../src/slack/links/links.ts'
import { linkBlockId } from '../../../src/slack/block-kit/link-menu.ts'
import { LIMITS } from '../../../src/slack/block-kit/elements.ts'
import { listMessage } from '../../../src/slack/list/list-blocks.ts'
import { unicodeText } from '../../support/unicode-text.ts'
import { fakeCaller, fakePlatform, NO_LINK_SERVICE } from '../../support/platform.ts'

test('accepts a service’s own page size, within Slack’s limit', async () => {
  const links = Array.from({ length: 60 }, (_, index) => ({
    name: `lnk_${index + 1}`,
    destination_url: 'https://example.com/',
    shortlink_url: `https://go.example.com/n${index + 1}`,
  }))
  const list = async () => ({ links, skipped: 0, page: 2, perPage: 60, hasNext: true })
  const platform = fakePlatform({ linkService: { ...NO_LINK_SERVICE, list } })
  const page = await fetchList(platform, fakeCaller(), { ...FIRST_PAGE, page: 2 })
  expect(page.links).toEqual(links.slice(0, 40))
  const { blocks } = listMessage({ ...page, rights: NO_RIGHTS, now: 0 })
  expect(blocks.length).toBeLessThanOrEqual(50)
  expect(JSON.stringify(blocks)).toContain('"action_id":"list_next","value":"most_recent:desc:3"')
})

test('decodes what it can’t read as the first page', () => {
  expect(decodeListPosition('')).toEqual(FIRST_PAGE)
  expect(decodeListPosition('likes:up:-1')).toEqual(FIRST_PAGE)
})

const positions: fc.Arbitrary<ListPosition> = fc
  .record(
    {
      sort_by: fc.constantFrom(...OUR_SORT_FIELDS),
      order: fc.constantFrom(...SORT_ORDERS),
      page: fc.integer({ min: 1, max: 999_999_999 }),
      q: fc
        .oneof(
          unicodeText({ minLength: 1, maxLength: 250 }),
          fc.string({ minLength: 190, maxLength: 200, unit: 'grapheme' }),
          fc.constantFrom(
            '検'.repeat(50),
            '%'.repeat(70),
            '🌱'.repeat(30),
            ':all:+%2B &amp;',
            '%.YWJj',
          ),
        )
        .map(cleanSearchText),
      tag: fc.constantFrom<string[][]>(
        ['spring'],
        ['big sale', 'print_1'],
        ['весна'],
        ['печать', 'распродажа'],
        ['印刷物', '春のセール'],
      ),
      mine: fc.constant(true as const),
    },
    { requiredKeys: ['sort_by', 'order', 'page'] },
  )
  .filter((position) => filterError(position) === undefined)

test('decodes every position that it encodes, in ASCII that fits into a block_id', () => {
  fc.assert(
    fc.property(positions, (position) => {
      const encoded = encodeListPosition(position)
      expect(decodeListPosition(encoded)).toEqual(position)
      expect(encoded).toMatch(/^[!-~]*$/)
      expect(encoded).not.toMatch(/[&<>]/)
      expect(linkBlockId(position, 39).length).toBeLessThanOrEqual(LIMITS.blockId)
    }),
  )
})

test('decodes any text to a position that can be encoded', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `created_at:asc:2:all:${text}`),
        fc.string().map((text) => `created_at:asc:2:all,${text}`),
      ),
      (text) => {
        const position = decodeListPosition(text)
        expect(decodeListPosition(encodeListPosition(position))).toEqual(position)
      },
    ),
    { examples: [['created_at:asc:2:all,##']] },
  )
})

test('writes a position with a search as text, and its parts in a fixed order', () => {
  const page = { sort_by: 'most_recent', order: 'desc', page: 2 } as const
  expect(encodeListPosition({ ...page, mine: true })).toBe('most_recent:desc:2:mine')
  expect(encodeListPosition({ ...page, q: 'a: b+&' })).toBe('most_recent:desc:2:all:a:+b%2B%26')
  expect(encodeListPosition({ ...page, tag: ['big sale', 'print'], q: 'card' })).toBe(
    'most_recent:desc:2:all,big+sale,print:card',
  )
})

test('decodes the buttons of earlier lists', () => {
  expect(decodeListPosition('most_recent:desc:2:all:%D0%B2%D0%B5%D1%81%D0%BD%D0%B0')).toEqual({
    ...FIRST_PAGE,
    page: 2,
    q: 'весна',
  })
})

const TOO_LONG = 'This is too long for a list in Slack. Leave out a part of it.'

test.each([
  [{ q: 'word '.repeat(40).trim() }, undefined],
  [{ q: '検'.repeat(50) }, undefined],
  [{ q: '検'.repeat(51) }, TOO_LONG],
  [{ tag: ['печать', 'распродажа'], q: 'весна' }, undefined],
  [{ tag: ['big sale', 'poster'], q: 'x'.repeat(200) }, TOO_LONG],
])(
  'refuses a filter that doesn’t fit into a block_id, instead of dropping a part of it',
  (filter, message) => {
    expect(filterError(filter)?.message).toBe(message)
  },
)

test('ignores a search that it would not accept from a user', () => {
  for (const text of ['ab', 'x'.repeat(201), '%', '%FF']) {
    expect(decodeListPosition(`most_recent:desc:1:all:${text}`)).toEqual(FIRST_PAGE)
  }
  for (const tag of ['', 'a/b', '%', 'x'.repeat(41)]) {
    expect(decodeListPosition(`most_recent:desc:1:all,${tag}`)).toEqual(FIRST_PAGE)
  }
})

test('accepts page numbers from 1 that are not absurdly long', () => {
  expect(parsePageNumber('999999999')).toBe(999_999_999)
  for (const text of ['0', '-1', '1.5', '01', '1000000000', 'one', '']) {
    expect(parsePageNumber(text)).toBeUndefined()
  }
})
