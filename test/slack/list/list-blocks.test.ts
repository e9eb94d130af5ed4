import { expect, test } from 'vitest'
import { context, section } from '../../../src/slack/block-kit/elements.ts'
import { isMessageTooLong } from '../../../src/simulator/block-kit/check.ts'
import type { ListLink } from '../../../src/slack/links/link-lists.ts'
import type { DrawnPage } from '../../../src/slack/list/link-rows.ts'
import { chosenPosition, listMessage } from '../../../src/slack/list/list-blocks.ts'
import { NO_RIGHTS } from '../../../src/slack/links/links.ts'
import { ALL_OFFERS } from '../../support/offers-document.ts'

const SPRING: ListLink = {
  name: 'lnk_1',
  title: 'Spring',
  destination_url: 'https://example.com/page',
  shortlink_url: 'https://go.example.com/spring',
  created_at: '2026-11-20T10:00:00Z',
}
const OTHER: ListLink = {
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
  rights: NO_RIGHTS,
  now: 0,
}

/** Another page. By default, it is the first. */
const pageAt = (
  position: Partial<DrawnPage['position']>,
  more: Partial<DrawnPage> = {},
): DrawnPage => ({ ...PAGE, ...more, position: { ...PAGE.position, page: 1, ...position } })

const textsOf = (list: DrawnPage): unknown[] =>
  listMessage(list).blocks.map((block) =>
    block.type === 'section'
      ? block.text?.text
      : block.type === 'context'
        ? block.elements
        : block.type,
  )

/** The same without the buttons. */
const rowsOf = (list: DrawnPage): unknown[] => textsOf(list).filter((text) => text !== 'actions')

const NONE = { links: [], totalItems: 0, totalPages: 0 }

const SPRING_URL = '<https://go.example.com/spring|go.example.com/spring>\u00a0→ example.com'
/** Between two facts. */
const DOT = '\u00a0\u00a0·  '
const AGE = '<!date^1795168800^{ago}|2026-11-20>'

test('shows each link’s title or destination, short URL and age, and the page number', () => {
  expect(listMessage(PAGE).text).toBe('Links, page 2')
  expect(textsOf(PAGE)).toEqual([
    'header',
    `*\u2068Spring\u2069*\n${SPRING_URL}`,
    small(AGE),
    '*example.com/other*\n<https://go.example.com/x7Kp2Qa|go.example.com/x7Kp2Qa>',
    small('Page 2 of 2  ·  12 links'),
    'actions',
  ])
})

test('shows the clicks, the expiry, the campaign and the source if they are known', () => {
  const now = Date.parse('2026-11-22T10:00:00Z')
  const link = { ...SPRING, clicks: 12, utm_campaign: 'spring-sale', utm_source: 'news <a>' }
  const shown = (more: Partial<ListLink>): unknown[] =>
    textsOf({ ...PAGE, now, links: [{ ...link, ...more }] }).slice(1, 3)
  const lines = (state: string): string =>
    `*\u2068Spring\u2069*\n${SPRING_URL}${DOT}12\u00a0clicks${state}`
  const facts = `\u2068spring-sale\u2069${DOT}\u2068news &lt;a&gt;\u2069`
  expect(shown({})).toEqual([lines(''), small(`${facts}${DOT}${AGE}`)])
  expect(shown({ expires_at: '2026-12-24T10:00:00Z' })[0]).toBe(
    lines(`${DOT}expires <!date^1798106400^{date_short}|2026-12-24>`),
  )
  expect(shown({ expires_at: '2026-11-23T10:00:00Z' })[0]).toBe(
    lines(`${DOT}expires <!date^1795428000^{date_short}, {time}|2026-11-23>`),
  )
  expect(shown({ enabled: false })[0]).toBe(lines(`${DOT}:no_entry_sign:\u00a0off`))
  // The record knows neither clicks nor the source.
  expect(shown({ ...SPRING, clicks: undefined, ...NO_UTM, isUnchecked: true })).toEqual([
    `*\u2068Spring\u2069*\n${SPRING_URL}`,
    small(`as last known${DOT}${AGE}`),
  ])
})

test.each<[difference: string, one: Partial<ListLink>, other: Partial<ListLink>, shown: string[]]>([
  ['source', { utm_source: 'mail' }, { utm_source: 'tv' }, ['\u2068mail\u2069', '\u2068tv\u2069']],
  [
    'source in the destination',
    { destination_url: 'https://example.com/page?utm_source=mail' },
    { destination_url: 'https://example.com/page?utm_source=tv', utm_source: 'ignored' },
    ['\u2068mail\u2069', '\u2068tv\u2069'],
  ],
  [
    'medium',
    { utm_medium: 'email' },
    { utm_medium: 'print' },
    ['medium \u2068email\u2069', 'medium \u2068print\u2069'],
  ],
  ['content', { utm_content: 'top' }, {}, ['content \u2068top\u2069', '']],
  ['custom preview', { preview_title: '<Sale>' }, {}, ['preview “\u2068&lt;Sale&gt;\u2069”', '']],
  [
    'page',
    { destination_url: 'https://example.com/en' },
    { destination_url: 'https://example.com/de' },
    ['example.com/en', 'example.com/de'],
  ],
  ['back-half', {}, { shortlink_url: 'https://go.example.com/other' }, ['', '']],
])('two links with one title look different by their %s', (_, one, other, shown) => {
  const rows = rowsOf({ ...PAGE, links: [one, other].map((more) => ({ ...SPRING, ...more })) })
  const smallPrint = (facts: string) => small([facts, AGE].filter(Boolean).join(DOT))
  expect([rows[2], rows[4]]).toEqual(shown.map(smallPrint))
  expect([rows[1], rows[2]]).not.toEqual([rows[3], rows[4]])
})

test('names the creator, as Slack does or else as the link service does', () => {
  const created_by = { id: 'T1-U2', name: 'Ben <b>' }
  const creators = new Map([[SPRING.shortlink_url, 'U1']])
  const row = (more: Partial<DrawnPage>): unknown =>
    textsOf({ ...PAGE, links: [{ ...SPRING, created_by }], ...more })[2]
  expect(row({ rights: { ...NO_RIGHTS, creators } })).toEqual(small(`by <@U1>${DOT}${AGE}`))
  expect(row({})).toEqual(small(`by \u2068Ben &lt;b&gt;\u2069${DOT}${AGE}`))
})

test('shows the end of a long host, which says whose it is', () => {
  const host = `our-bank.example.${'a.'.repeat(60)}evil.example`
  const link = { ...SPRING, destination_url: `https://${host}/login` }
  const [, row] = textsOf({ ...PAGE, links: [link] })
  expect(row).toMatch(/→ ….*a\.evil\.example$/)
})

test('cuts long titles in the middle, because they often differ at the end', () => {
  const title = `Spring ${'sale '.repeat(60)}`
  const links = ['A', 'B'].map((end) => ({ ...SPRING, title: title + end }))
  const [, one, , other] = rowsOf({ ...PAGE, links })
  expect(one).toMatch(/^\*\u2068Spring sale .*….*sale A\u2069\*\n/)
  expect(other).toMatch(/sale B\u2069\*\n/)
  expect(String(one).split('\n')[0]).toHaveLength(104)
})

test('a page of forty links, on which a service can insist, stays below Slack’s limits', () => {
  const links = Array.from({ length: 40 }, (_, at) => ({
    ...SPRING,
    name: `019b2c4e-5a31-7c55-9d2e-3f1a7b60c2${at}`,
    title: 'Spring sale in the north, for members',
    shortlink_url: `https://go.example.com/x7Kp2Q${at}`,
    utm_campaign: 'spring-sale',
    clicks: 12,
  }))
  const changeable = new Set(links.map(({ shortlink_url: url }) => url))
  const rights = { ...NO_RIGHTS, capabilities: ALL_OFFERS, changeable }
  const { blocks } = listMessage({ ...PAGE, links, rights })
  expect(blocks).toHaveLength(43)
  expect(blocks[1]).toMatchObject({
    text: {
      text: `*\u2068Spring sale in the north, for members\u2069*\n<https://go.example.com/x7Kp2Q0>\u00a0→ example.com${DOT}12\u00a0clicks\n\u2068spring-sale\u2069${DOT}${AGE}`,
    },
  })
  expect(isMessageTooLong(blocks.map((block) => ({ ...block })))).toBe(false)
})

const small = (text: string) => [{ type: 'mrkdwn', text }]
const NO_UTM = { utm_campaign: undefined, utm_source: undefined }

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
  const second = 'list_next most_recent:desc:2'
  expect(controlsOf(pageAt({}, { hasNext: true }))).toEqual([second, ...MENUS])
  expect(controlsOf(pageAt({}))).toEqual(MENUS)
})

test('Previous leads from beyond the end to the last page with links', () => {
  const empty = { links: [], totalItems: 12, totalPages: 2 }
  const last = ['list_previous most_recent:desc:2', ...MENUS]
  expect(controlsOf(pageAt({ page: 9 }, empty))).toEqual(last)
  expect(controlsOf(pageAt({ page: 3 }, { ...empty, totalPages: 9 }))).toEqual(last)
  const { totalPages: _pages, ...unknown } = pageAt({ page: 9 }, empty)
  expect(controlsOf(unknown)).toEqual(['list_previous most_recent:desc:1', ...MENUS])
})

test('explains how to begin on an empty first page, and says that a later page is empty', () => {
  expect(textsOf(pageAt({}, NONE))).toEqual([
    'header',
    'No links yet. Make the first one: `/shorten https://example.com/some/long/page`',
  ])
  expect(textsOf(pageAt({ page: 7 }, NONE))[1]).toBe('There are no links on page 7.')
  expect(textsOf(pageAt({ page: 2026 }, NONE))[1]).toBe(
    'There are no links on page 2,026. To search for a number, put it in quotes.',
  )
})

test('says what a list was searched for, escaped, and whether it shows the user’s own links', () => {
  const q = '<!channel> & co'
  const found = listMessage(pageAt({ q }))
  expect(found.blocks[1]).toEqual(context('Links with “\u2068&lt;!channel&gt; &amp; co\u2069”.'))
  const own = listMessage(pageAt({ mine: true, q: 'spring' }, { isRecord: true }))
  expect(own.text).toBe('My links, page 1')
  expect(own.blocks[1]).toEqual(
    context('Links that you created in Slack with “\u2068spring\u2069”.'),
  )
  const { blocks } = listMessage(pageAt({ mine: true }, { isRecord: true }))
  expect(blocks[1]).toEqual(context('Links that you created in Slack.'))
})

test('says that the service can’t search, and that there are more matches', () => {
  const found = pageAt({ q: 'spring' }, { isRecord: true, hasMore: true })
  expect(listMessage(found).blocks.slice(2, 4)).toEqual([
    context(
      'This link service can’t search, so these are the matches among links created in Slack.',
    ),
    context(
      'These are the newest matches, and there might be more. Type more of the text to find older ones.',
    ),
  ])
  // The record knows only when a link was created.
  expect(JSON.stringify(listMessage(found).blocks.at(-1))).not.toContain('updated_at')
})

test('says what an empty result was searched for, and offers all links', () => {
  const textOf = (position: Partial<DrawnPage['position']>) => textsOf(pageAt(position, NONE))
  expect(textOf({ q: 'spring' })).toEqual([
    'header',
    'No links with “\u2068spring\u2069” were found.',
    'actions',
  ])
  expect(textOf({ q: 'spring', mine: true })[1]).toBe(
    'No links that you created with “\u2068spring\u2069” were found.',
  )
  expect(textOf({ mine: true })[1]).toBe('There are no links that you created.')
  expect(textOf({ q: 'spring', page: 2026 })[1]).toBe(
    'There are no links with “\u2068spring\u2069” on page 2,026. To search for a number, put it in quotes.',
  )
  expect(controlsOf(pageAt({ q: 'spring', mine: true }, NONE))).toEqual([
    ...MENUS,
    'list_show_all most_recent:desc:1',
  ])
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

test('shows a link that is gone as deleted, without a menu', () => {
  const { blocks } = listMessage({ ...PAGE, links: [{ ...OTHER, deleted: true }] })
  const text =
    '*example.com/other*\n<https://go.example.com/x7Kp2Qa|go.example.com/x7Kp2Qa>\u00a0\u00a0·  deleted'
  expect(blocks[1]).toEqual(section(text, undefined, 'link:0:most_recent:desc:2'))
})

const { totalItems: _items, totalPages: _pages, ...unknownTotals } = PAGE
const ONE = { totalItems: 1, totalPages: 1, skipped: 1 }
const MANY = { totalItems: 123_456, totalPages: 12_346 }

test.each([
  [{ ...unknownTotals, skipped: 3 }, 'Page 2  ·  3 links could not be read'],
  [pageAt({}, ONE), 'Page 1 of 1  ·  1 link  ·  1 link could not be read'],
  [pageAt({ page: 1234 }, MANY), 'Page 1,234 of 12,346  ·  123,456 links'],
])('sums up a page: %#', (page, summary) => {
  expect(textsOf(page).at(-2)).toEqual(small(summary))
})
