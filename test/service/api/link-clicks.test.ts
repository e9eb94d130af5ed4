import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { SHORTLINKS_PATH } from '../../../src/contract/endpoints.ts'
import type { LinkClicks } from '../../../src/contract/extension-calls.ts'
import { parseClicksQuery } from '../../../src/service/api/reports.ts'
import { addClicks } from '../../../src/service/store/clicks.ts'
import { daysOf, lengthOf } from '../../../src/timing/days.ts'
import { describeService } from '../../support/fixtures.ts'
import { invalidIn, newLink, request } from '../../support/service-calls.ts'
import type { RunningService } from '../../support/service.ts'

const NOW = Date.parse('2027-03-02T10:00:00.000Z')

describeService(declareTests, { now: () => NOW })

function declareTests(service: RunningService): void {
  let name: string
  beforeAll(async () => {
    name = (await newLink(service)).name
  })

  async function ask(link: string, query = '') {
    const response = await request(service, 'GET', `${SHORTLINKS_PATH}/${link}/clicks?${query}`)
    const { data } = response.body as { data?: { clicks: LinkClicks } }
    return { ...response, clicks: data?.clicks as LinkClicks }
  }

  const write = (...rows: Parameters<typeof addClicks>[0]) =>
    service.database.write(addClicks(rows))

  test('returns every day of the range, totals, and the hosts that most people came from', async () => {
    const hosts = Array.from({ length: 12 }, (_, at): [string, number] => [`${at}.example`, at + 1])
    const old = { people: 1_000, bots: 7, hosts: new Map([['old.example', 900]]) }
    await write(
      { link_id: name, day: '2027-01-31', ...old },
      { link_id: name, day: '2027-02-28', people: 80, bots: 2, hosts: new Map(hosts) },
      { link_id: name, day: '2027-03-02', people: 3, bots: 0, hosts: new Map([['0.example', 3]]) },
    )
    const { body, clicks } = await ask(name, 'from=2027-02-27&to=2027-03-03')
    const message = '83 clicks by people from 2027-02-27 to 2027-03-03.'
    expect(body).toMatchObject({ data: { status: 'success', message } })
    expect(clicks).toEqual({
      from: '2027-02-27',
      to: '2027-03-03',
      total_people: 83,
      total_bots: 2,
      all_time_people: 1_083,
      days: [
        { date: '2027-02-27', people: 0, bots: 0 },
        { date: '2027-02-28', people: 80, bots: 2 },
        { date: '2027-03-01', people: 0, bots: 0 },
        { date: '2027-03-02', people: 3, bots: 0 },
        { date: '2027-03-03', people: 0, bots: 0 },
      ],
      referrers: [
        ...[11, 10, 9, 8, 7, 6, 5, 4].map((at) => ({ host: `${at}.example`, people: at + 1 })),
        { host: '0.example', people: 4 },
        { host: '3.example', people: 4 },
      ],
    })
  })

  test('returns the last 30 days up to today by default, and counts exactly, however many clicks there are', async () => {
    const { name: link } = await newLink(service)
    const { clicks: none } = await ask(link)
    expect(none).toMatchObject({ from: '2027-02-01', to: '2027-03-02', all_time_people: 0 })
    expect(none.days).toEqual(daysOf(none).map((date) => ({ date, people: 0, bots: 0 })))
    expect(none.days).toHaveLength(30)
    expect(none.referrers).toEqual([])

    const people = 4_000_000_000_000
    const hosts = new Map([['news.example', people]])
    for (const day of ['2027-03-01', '2027-03-02']) {
      await write({ link_id: link, day, people, bots: people, hosts })
    }
    expect((await ask(link)).clicks).toMatchObject({
      total_people: 2 * people,
      total_bots: 2 * people,
      all_time_people: 2 * people,
      referrers: [{ host: 'news.example', people: 2 * people }],
    })
  })

  test.each([
    ['to=2027-03-02T00:00:00Z', 'to'],
    ['from=2027-03-02&from=2027-03-02', 'from'],
    ['from=2027-03-02&to=2027-03-01', 'from'],
    ['from=2026-03-01&to=2027-03-02', 'from'],
    ['days=30', 'days'],
  ])('returns 422 for %s and names the parameter', async (query, parameter) => {
    expect(invalidIn(await ask(name, query))).toEqual([parameter])
  })
}

test('a range has every day once, in order, across months and leap days', () => {
  const date = fc
    .date({ min: new Date('1971-06-01'), max: new Date('2999-12-31'), noInvalidDate: true })
    .map((at) => at.toISOString().slice(0, 10))
  fc.assert(
    fc.property(date, fc.integer({ min: 0, max: 365 }), (from, more) => {
      const to = new Date(Date.parse(from) + more * 86_400_000).toISOString().slice(0, 10)
      const range = parseClicksQuery({ from, to }, NOW)
      const days = daysOf(range)
      expect(days).toHaveLength(more + 1)
      expect(lengthOf(range)).toBe(more + 1)
      expect([days[0], days.at(-1)]).toEqual([from, to])
      expect(days.toSorted()).toEqual(days)
      expect(new Set(days).size).toBe(days.length)
    }),
  )
})
