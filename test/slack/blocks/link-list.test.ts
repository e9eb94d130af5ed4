import { expect, test } from 'vitest'
import type { ListedItem } from '../../../src/slack/blocks/link-item.ts'
import { linkList, type LinkListPage } from '../../../src/slack/blocks/link-list.ts'

const page: LinkListPage = {
  links: [
    {
      key: 'lnk_1',
      name: 'lnk_1',
      title: 'Spring',
      destination_url: 'https://example.com/page',
      shortlink_url: 'https://go.example.com/spring',
      created_at: '2026-11-20T10:00:00Z',
    },
    {
      key: 'lnk_2',
      name: 'lnk_2',
      destination_url: 'https://example.com/other',
      shortlink_url: 'https://go.example.com/x7Kp2Qa',
    },
  ],
  skipped: 0,
  page: 2,
  totalItems: 12,
  totalPages: 2,
  sortBy: 'most_recent',
  order: 'desc',
  position: 'most_recent:desc:2',
  previous: 'most_recent:desc:1',
}

const texts = (one: LinkListPage): unknown[] =>
  linkList(one).blocks.map((block) =>
    block.type === 'section'
      ? block.text?.text
      : block.type === 'context'
        ? block.elements
        : block.type,
  )

test('a page shows short URL, title, age and destination of each link, and where one is', () => {
  expect(texts(page)).toEqual([
    'header',
    '*<https://go.example.com/spring|go.example.com/spring>*  ·  \u2068Spring\u2069  ·  <!date^1795168800^{ago}|2026-11-20>\nexample.com/page',
    '*<https://go.example.com/x7Kp2Qa|go.example.com/x7Kp2Qa>*\nexample.com/other',
    [{ type: 'mrkdwn', text: 'Page 2 of 2  ·  12 links' }],
    'actions',
  ])
})

const elements = (one: LinkListPage): unknown => {
  const controls = linkList(one).blocks.at(-1)
  return controls?.type === 'actions'
    ? controls.elements.map((element) => ('action_id' in element ? element.action_id : undefined))
    : undefined
}

test('Previous and Next stand only where they lead somewhere', () => {
  expect(elements(page)).toEqual(['list_previous', 'list_sort'])
  const next = 'most_recent:desc:3'
  expect(elements({ ...page, next })).toEqual(['list_previous', 'list_next', 'list_sort'])
  expect(elements({ ...page, previous: undefined, next })).toEqual(['list_next', 'list_sort'])
  expect(elements({ ...page, previous: undefined })).toEqual(['list_sort'])
})

test('the order that is shown is the one that is chosen', () => {
  const controls = linkList({ ...page, sortBy: 'updated_at', order: 'asc' }).blocks.at(-1)
  expect(controls).toMatchObject({
    elements: [{ value: 'most_recent:desc:1' }, { initial_option: { value: 'updated_at:asc' } }],
  })
})

test('an empty first page says how to begin, a later one that nothing is there', () => {
  const none = { ...page, links: [], totalItems: 0, totalPages: 0 }
  expect(texts({ ...none, page: 1 })).toEqual([
    expect.anything(),
    expect.stringContaining('No links yet'),
  ])
  expect(texts({ ...none, page: 7 })[1]).toBe('There is nothing on page 7.')
})

test('without totals, and with links that could not be read, it says what it knows', () => {
  const { totalItems: _items, totalPages: _pages, ...unknown } = page
  expect(texts({ ...unknown, skipped: 3 })[3]).toEqual([
    { type: 'mrkdwn', text: 'Page 2  ·  3 links could not be read' },
  ])
})

test('one is one, and thousands can be read', () => {
  const summary = (more: Partial<LinkListPage>): unknown => texts({ ...page, ...more })[3]
  expect(summary({ page: 1, totalItems: 1, totalPages: 1, skipped: 1 })).toMatchObject([
    { text: 'Page 1 of 1  ·  1 link  ·  1 link could not be read' },
  ])
  expect(summary({ page: 1234, totalItems: 123_456, totalPages: 12_346 })).toMatchObject([
    { text: 'Page 1,234 of 12,346  ·  123,456 links' },
  ])
})

test('clicks are told where the service counts them, and no number otherwise', () => {
  const [spring, other] = page.links as [ListedItem, ListedItem]
  const counted = { ...page, links: [0, 1, 12_345].map((clicks) => ({ ...other, clicks })) }
  expect(
    texts(counted).filter((text) => typeof text === 'string' && text.includes('click')),
  ).toEqual(
    ['0 clicks', '1 click', '12,345 clicks'].map(
      (words) =>
        `*<https://go.example.com/x7Kp2Qa|go.example.com/x7Kp2Qa>*  ·  ${words}\nexample.com/other`,
    ),
  )
  expect(JSON.stringify(linkList({ ...page, links: [spring, other] }))).not.toContain('click')
})

test('the menu of a link names it in its options, and the page in its block', () => {
  expect(linkList(page).blocks[2]).toMatchObject({
    block_id: 'link:1:most_recent:desc:2',
    accessory: {
      type: 'overflow',
      action_id: 'link_menu',
      options: [{ value: 'qr:lnk_2' }, { value: 'share:lnk_2' }, { value: 'copy:lnk_2' }],
    },
  })
})
