import { expect, test } from 'vitest'
import type { ListedLink } from '../../../src/client/link-page.ts'
import {
  chosenPosition,
  type DrawnPage,
  listBlocks,
  listMessage,
} from '../../../src/slack/list/list-blocks.ts'

const SPRING: ListedLink = {
  name: 'lnk_1',
  title: 'Spring',
  destination_url: 'https://example.com/page',
  shortlink_url: 'https://go.example.com/spring',
  created_at: '2026-11-20T10:00:00Z',
}
const OTHER: ListedLink = {
  name: 'lnk_2',
  destination_url: 'https://example.com/other',
  shortlink_url: 'https://go.example.com/x7Kp2Qa',
}

/** The second page of two. */
const PAGE: DrawnPage = {
  links: [SPRING, OTHER],
  skipped: 0,
  totalItems: 12,
  totalPages: 2,
  hasNext: false,
  position: { sort_by: 'most_recent', order: 'desc', page: 2 },
}

const onPage = (page: number, more: Partial<DrawnPage> = {}): DrawnPage => ({
  ...PAGE,
  ...more,
  position: { ...PAGE.position, page },
})

const textsOf = (list: DrawnPage): unknown[] =>
  listMessage(list).blocks.map((block) =>
    block.type === 'section'
      ? block.text?.text
      : block.type === 'context'
        ? block.elements
        : block.type,
  )

test('shows each link’s short URL, title, age and destination, and the page number', () => {
  expect(listMessage(PAGE).text).toBe('Links, page 2')
  expect(textsOf(PAGE)).toEqual([
    'header',
    '*<https://go.example.com/spring|go.example.com/spring>*  ·  \u2068Spring\u2069  ·  <!date^1795168800^{ago}|2026-11-20>\nexample.com/page',
    '*<https://go.example.com/x7Kp2Qa|go.example.com/x7Kp2Qa>*\nexample.com/other',
    [{ type: 'mrkdwn', text: 'Page 2 of 2  ·  12 links' }],
    'actions',
  ])
})

/** The buttons of a list with the pages that they lead to, and its menu. */
const controlsOf = (list: DrawnPage): unknown => {
  const controls = listMessage(list).blocks.at(-1)
  return controls?.type === 'actions'
    ? controls.elements.map((element) =>
        element.type === 'button' && element.action_id !== 'list_search'
          ? `${element.action_id ?? ''} ${element.value ?? ''}`
          : 'action_id' in element && element.action_id,
      )
    : undefined
}

/** What every list has. */
const MENUS = ['list_filter', 'list_sort', 'list_search']

test('shows Previous and Next only if they lead to a page', () => {
  const previous = 'list_previous most_recent:desc:1'
  const next = 'list_next most_recent:desc:3'
  expect(controlsOf(PAGE)).toEqual([previous, ...MENUS])
  expect(controlsOf({ ...PAGE, hasNext: true })).toEqual([previous, next, ...MENUS])
  expect(controlsOf(onPage(1, { hasNext: true }))).toEqual([
    'list_next most_recent:desc:2',
    ...MENUS,
  ])
  expect(controlsOf(onPage(1))).toEqual([...MENUS])
})

test('Previous leads from beyond the end to the last page with links', () => {
  const empty = { links: [], totalItems: 12, totalPages: 2 }
  expect(controlsOf(onPage(9, empty))).toEqual(['list_previous most_recent:desc:2', ...MENUS])
  expect(controlsOf(onPage(3, { ...empty, totalPages: 9 }))).toEqual([
    'list_previous most_recent:desc:2',
    ...MENUS,
  ])
  const { totalPages: _pages, ...unknown } = onPage(9, empty)
  expect(controlsOf(unknown)).toEqual(['list_previous most_recent:desc:1', ...MENUS])
})

test('explains how to begin on an empty first page, and says that a later page is empty', () => {
  const none = { links: [], totalItems: 0, totalPages: 0 }
  expect(textsOf(onPage(1, none))).toEqual([
    'header',
    'No links yet. Make the first one: `/shorten https://example.com/some/long/page`',
  ])
  expect(textsOf(onPage(7, none))[1]).toBe('There are no links on page 7.')
  expect(textsOf(onPage(2026, none))[1]).toBe(
    'There are no links on page 2,026. To search for a number, put it in quotes.',
  )
})

const searched = (
  more: Partial<DrawnPage>,
  position: Partial<DrawnPage['position']>,
): DrawnPage => ({
  ...PAGE,
  ...more,
  position: { ...PAGE.position, page: 1, ...position },
})

test('says what a list was searched for, escaped, and whether it shows the user’s own links', () => {
  const q = '<!channel> & co'
  const found = listMessage(searched({}, { q }))
  expect(found.blocks[1]).toEqual(note('Links with “\u2068&lt;!channel&gt; &amp; co\u2069”.'))
  const own = listMessage(searched({ isRecord: true }, { mine: true, q: 'spring' }))
  expect(own.text).toBe('My links, page 1')
  expect(own.blocks[1]).toEqual(note('Links that you made in Slack with “\u2068spring\u2069”.'))
  expect(listMessage(searched({ isRecord: true }, { mine: true })).blocks[1]).toEqual(
    note('Links that you made in Slack.'),
  )
})

const note = (text: string) => ({ type: 'context', elements: [{ type: 'mrkdwn', text }] })

test('says that the service can’t search, and that there are more matches', () => {
  const found = searched({ isRecord: true, hasMore: true, totalItems: 1_000 }, { q: 'spring' })
  expect(listMessage(found).blocks.slice(2, 4)).toEqual([
    note('This link service can’t search, so these are the matches among links made in Slack.'),
    note('More than 1,000 links match; these are the newest.'),
  ])
  expect(listMessage(searched({ hasMore: true }, { q: 'spring' })).blocks[2]).toEqual(
    note('Only the newest links were searched. Type more of the text to find older ones.'),
  )
})

test('says what an empty result was searched for, and offers all links', () => {
  const none = { links: [], totalItems: 0, totalPages: 0 }
  const textOf = (position: Partial<DrawnPage['position']>) => textsOf(searched(none, position))
  expect(textOf({ q: 'spring' })).toEqual([
    'header',
    'No links with “\u2068spring\u2069” were found.',
    'actions',
  ])
  expect(textOf({ q: 'spring', mine: true })[1]).toBe(
    'No links that you made in Slack with “\u2068spring\u2069” were found.',
  )
  expect(textOf({ mine: true })[1]).toBe('There are no links that you made in Slack.')
  expect(textOf({ q: 'spring', page: 2026 })[1]).toBe(
    'There are no links with “\u2068spring\u2069” on page 2,026. To search for a number, put it in quotes.',
  )
  expect(controlsOf(searched(none, { q: 'spring', mine: true }))).toEqual([
    ...MENUS,
    'list_show_all most_recent:desc:1',
  ])
})

test('offers only the orders that the record supports', () => {
  const controls = listMessage(searched({ isRecord: true }, { mine: true })).blocks.at(-1)
  expect(JSON.stringify(controls)).not.toContain('updated_at')
})

test('a choice in a menu keeps the search and goes to the first page', () => {
  const position = { sort_by: 'updated_at', order: 'asc', page: 7, q: 'a b', mine: true } as const
  const controls = listMessage({ ...PAGE, position }).blocks.at(-1)
  const blockId = controls?.block_id ?? ''
  const first = { ...position, page: 1 }
  expect(chosenPosition('list_sort', blockId, 'created_at:desc')).toEqual({
    ...first,
    sort_by: 'created_at',
    order: 'desc',
  })
  expect(chosenPosition('list_filter', blockId, 'mine')).toEqual(first)
  expect(chosenPosition('list_filter', blockId, 'all')).toEqual({ ...first, mine: undefined })
  // A list that was sent before there was a filter.
  expect(chosenPosition('list_sort', 'b1Xz', 'updated_at:asc')).toEqual({
    sort_by: 'updated_at',
    order: 'asc',
    page: 1,
  })
})

test('leaves out the menus, and nothing else, if a search text has no room in their block_id', () => {
  const controls = controlsOf(searched({ hasNext: true }, { q: '検'.repeat(200) })) as string[]
  expect(controls.map((text) => text.split(' ')[0])).toEqual([
    'list_next',
    'list_search',
    'list_show_all',
  ])
})

test('shows a link that is gone as deleted, without a menu', () => {
  const blocks = listBlocks({ ...PAGE, links: [{ ...OTHER, deleted: true }] }, 'home')
  expect(blocks[0]).toEqual({
    type: 'section',
    block_id: 'link:0:most_recent:desc:2',
    text: {
      type: 'mrkdwn',
      text: '*<https://go.example.com/x7Kp2Qa|go.example.com/x7Kp2Qa>*  ·  deleted\nexample.com/other',
    },
  })
})

test('leaves out unknown totals, and counts links that could not be read', () => {
  const { totalItems: _items, totalPages: _pages, ...unknown } = PAGE
  expect(textsOf({ ...unknown, skipped: 3 })[3]).toEqual([
    { type: 'mrkdwn', text: 'Page 2  ·  3 links could not be read' },
  ])
})

test('writes numbers with separators and nouns in the singular for one', () => {
  const summary = (page: number, more: Partial<DrawnPage>): unknown =>
    textsOf(onPage(page, more))[3]
  expect(summary(1, { totalItems: 1, totalPages: 1, skipped: 1 })).toEqual([
    { type: 'mrkdwn', text: 'Page 1 of 1  ·  1 link  ·  1 link could not be read' },
  ])
  expect(summary(1234, { totalItems: 123_456, totalPages: 12_346 })).toEqual([
    { type: 'mrkdwn', text: 'Page 1,234 of 12,346  ·  123,456 links' },
  ])
})
