import { expect } from 'vitest'
import { addClicks } from '../../../src/service/store/clicks.ts'
import type { LinkRow } from '../../../src/service/store/links.ts'
import { describeServiceOnEveryDatabase, withService } from '../../support/fixtures.ts'
import { addDomainRecord, addLinks, linkRow } from '../../support/rows.ts'
import {
  callLink,
  getList,
  invalidIn,
  keyWith,
  listed,
  newLink,
  newOwner,
  type Caller,
} from '../../support/service-calls.ts'

let now = Date.parse('2027-03-01T12:00:00.000Z')
const { test, service } = withService({ now: () => now })

/** Created in this order; the second and the third in the same millisecond. */
const TITLES = ['one', 'two', 'three', 'four', 'five']

test.beforeAll(async ({ service }) => {
  for (const title of TITLES) {
    if (title !== 'three') now += 1000
    const destination_url = `https://example.com/${title}`
    await newLink(service, { destination_url, back_half: title, title })
  }
})

const titles = async (query: string) =>
  (await listed(service, query)).shortlinks.map(({ title }) => title)

test('returns a page with its totals', async () => {
  expect(await listed(service, 'per_page=2&page=3')).toEqual({
    status: 'success',
    message: '5 shortlinks in total.',
    shortlinks: [
      {
        name: expect.any(String) as string,
        title: 'one',
        destination_url: 'https://example.com/one',
        shortlink_url: `${service.baseUrl}/one`,
        is_custom_preview: false,
        qr_code_enabled: false,
        enabled: true,
        created_at: '2027-03-01T12:00:01.000Z',
        updated_at: '2027-03-01T12:00:01.000Z',
        clicks: 0,
        created_with: 'Backhalf app (automatic key)',
      },
    ],
    pagination: { page: 3, per_page: 2, total_items: 5, total_pages: 3 },
  })
})

test('shows the UTM parameters that take effect', async () => {
  const utm = { utm_source: 'newsletter', utm_campaign: 'spring sale' }
  const marketing = await newOwner(service, 'Marketing')
  for (const utm_analytics_enabled of ['true', 'false']) {
    await newLink(marketing, { utm_analytics_enabled, ...utm })
  }
  const { shortlinks } = await listed(marketing, 'order=asc')
  expect(shortlinks[0]).toMatchObject(utm)
  expect(shortlinks[1]).not.toHaveProperty('utm_source')
})

test('follows every combination of the parameters', async () => {
  for (const sort of ['', 'most_recent', 'created_at', 'updated_at']) {
    for (const order of ['', 'asc', 'desc']) {
      for (const page of ['', '1', '2', '3', '999999999']) {
        for (const perPage of ['', '2', '5']) {
          const given = { sort_by: sort, order, page, per_page: perPage }
          const query = new URLSearchParams(
            Object.entries(given).filter(([, value]) => value !== ''),
          ).toString()
          const size = Number(perPage || 10)
          const from = (Number(page || 1) - 1) * size
          const sorted = order === 'asc' ? TITLES : TITLES.toReversed()
          expect([query, await titles(query)]).toEqual([query, sorted.slice(from, from + size)])
        }
      }
    }
  }
})

test.each([
  ['page', ['0', '-1', '1.5', '', '9'.repeat(30)]],
  ['per_page', ['0', '101']],
  ['sort_by', ['title']],
  ['order', ['up']],
  ['limit', ['5']],
  ['q', ['ab', '🎉🎉', 'ab\0', 'x'.repeat(201), '']],
  ['tag', ['', 'a/b', ',\0']],
  [
    'expires_before',
    ['2027-03-08', '2027-03-08T12:00:00', '', `${'9'.repeat(5_000)}-01-01T00:00:00Z`],
  ],
])('returns 422 for an invalid %s', async (name, values) => {
  for (const value of values) {
    const query = new URLSearchParams({ [name]: value }).toString()
    expect([value, ...invalidIn(await getList(service, query))]).toEqual([value, name])
  }
})

test('returns 422 for a repeated parameter, and names each that is invalid', async () => {
  const query = 'page=1&page=2&tag=x&order=up'
  expect(invalidIn(await getList(service, query))).toEqual(['order', 'page'])
})

test('returns the first page of ten by default', async () => {
  const twelve = await newOwner(service, 'Twelve')
  for (let at = 1; at <= 12; at++) await newLink(twelve)
  const { shortlinks, pagination } = await listed(twelve)
  expect(shortlinks).toHaveLength(10)
  expect(pagination).toEqual({ page: 1, per_page: 10, total_items: 12, total_pages: 2 })
})

test('finds the links that contain a text, in the order and the pages of any list', async () => {
  expect(await titles('q=EXAMPLE.com/t')).toEqual(['three', 'two'])
  expect(await titles('q=example.com/t&order=asc&per_page=1&page=2')).toEqual(['three'])
  expect(await titles('q=example.com/t&sort_by=updated_at&order=asc')).toEqual(['two', 'three'])
  const { message, pagination } = await listed(service, 'q=example.com&per_page=2&page=3')
  expect(message).toBe('5 shortlinks found.')
  expect(pagination).toEqual({ page: 3, per_page: 2, total_items: 5, total_pages: 3 })
  expect(await titles(`q=${encodeURIComponent(`${service.baseUrl}/four`)}`)).toEqual(['four'])
  expect(await titles('q=nothing+like+it')).toEqual([])
})

test('another organization sees none of these links, and can shorten the same destination', async () => {
  const other = await newOwner(service, 'Other')
  for (const query of ['', 'q=example.com']) {
    expect((await listed(other, query)).shortlinks).toEqual([])
  }
  await newLink(other, { destination_url: 'https://example.com/one' })
})

describeServiceOnEveryDatabase((service) => {
  test('sorts by the clicks of all days, and the newest first among equals', async () => {
    const clicked = await newOwner(service, 'Clicked')
    const visits = [2, 0, 7, 2, 0]
    const names: string[] = []
    for (const [at, people] of visits.entries()) {
      const { name } = await newLink(clicked, { title: `${at}` })
      names.push(name)
      for (const day of ['2027-02-01', '2027-03-01'].slice(0, people)) {
        const clicks = { link_id: name, day, people: day < '2027-03' ? 1 : people - 1, bots: 9 }
        await service.database.write(addClicks([clicks]))
      }
    }
    const sorted = async (query = '') => {
      const { shortlinks } = await listed(clicked, `sort_by=clicks${query}`)
      return shortlinks.map(({ title, clicks }) => `${title ?? ''}: ${clicks}`)
    }
    const expected = ['2: 7', '3: 2', '0: 2', '4: 0', '1: 0']
    expect(await sorted()).toEqual(expected)
    expect(await sorted('&order=asc')).toEqual(expected.toReversed())
    expect(await sorted('&q=example.com')).toEqual(expected)
    for (const [at, entry] of expected.entries()) {
      expect(await sorted(`&per_page=1&page=${at + 1}`)).toEqual([entry])
    }
    await callLink(clicked, 'DELETE', names[2] ?? '')
    expect(await sorted()).toEqual(expected.slice(1))
    expect(await sorted('&per_page=2&page=2')).toEqual(expected.slice(3))
  })

  test('lists the links that a person created', async () => {
    const { database, ownerId: owner_id } = service
    await addLinks(database, linkRow('by-ana', { owner_id, person_id: 'T1-U1' }))
    for (const [query, names] of [
      ['created_by=T1-U1', ['by-ana']],
      ['created_by=T1-U1&sort_by=clicks', ['by-ana']],
      ['created_by=T1-U1&q=example.com', ['by-ana']],
      ['created_by=T1-U2&q=example.com', []],
    ] as const) {
      const { shortlinks, pagination } = await listed(service, query)
      expect(shortlinks.map(({ name }) => name)).toEqual(names)
      expect(pagination.total_items).toBe(names.length)
    }
  })

  test('lists the links that are on and expire before a time', async () => {
    const { database, ownerId: owner_id } = service
    const domain_id = 'ending'
    await addDomainRecord(database, domain_id, owner_id)
    const [now, hour] = [Date.now(), 3_600_000]
    const ends = (id: string, hours: number, more: Partial<LinkRow> = {}) => {
      const expires_at = now + hours * hour
      return linkRow(id, { owner_id, expires_at, created_at: expires_at, ...more })
    }
    await addLinks(
      database,
      ends('tomorrow', 24),
      ends('week', 24 * 7, { domain_id }),
      ends('second-week', 24 * 8),
      ends('off', 24, { enabled: 0 }),
      ends('ended', -1),
      ends('deleted', 24, { deleted_at: 1 }),
      linkRow('endless', { owner_id }),
    )
    const onDomain = await keyWith(service, { domainIds: [domain_id] })
    const ending = async (ms: number, more = '', caller: Caller = service) => {
      const expires_before = new Date(now + ms).toISOString()
      const query = new URLSearchParams({ expires_before }).toString() + more
      const { message, shortlinks, pagination } = await listed(caller, query)
      expect(message).toMatch(/^\d shortlinks? found\.$/)
      return [...shortlinks.map(({ name }) => name), pagination.total_items]
    }
    const week = 24 * 7 * hour
    expect(await ending(week)).toEqual(['tomorrow', 1])
    expect(await ending(week + 1)).toEqual(['week', 'tomorrow', 2])
    expect(await ending(week + 1, '&order=asc&per_page=1&page=2')).toEqual(['week', 2])
    expect(await ending(week + 1, '&sort_by=clicks&per_page=1&page=2')).toEqual(['tomorrow', 2])
    expect(await ending(week + 1, '&sort_by=updated_at&page=2')).toEqual([2])
    expect(await ending(2 * week, '&q=example.com/week')).toEqual(['week', 1])
    expect(await ending(2 * week, '', onDomain)).toEqual(['week', 1])
    expect(await ending(2 * week, '', await newOwner(service, 'Endless'))).toEqual([0])
    expect(await ending(0)).toEqual([0])
  })
})
