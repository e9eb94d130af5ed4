import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FakeLinkService } from '../support/fake-link-service.ts'
import { errorOf, startTestClient, type TestClient } from '../support/test-client.ts'

let testClient: TestClient
let service: FakeLinkService

beforeEach(async () => {
  testClient = await startTestClient()
  service = testClient.service
})
afterEach(() => testClient.close())

const DAYS = [
  { date: '2026-03-01', people: 5, bots: 1 },
  { date: '2026-03-02', people: 0, bots: 0 },
]
const CLICKS = {
  from: '2026-03-01',
  to: '2026-03-02',
  total_people: 5,
  total_bots: 1,
  all_time_people: 50,
  days: DAYS,
  referrers: [{ host: 'news.example', people: 3 }],
}
const READ = {
  from: '2026-03-01',
  to: '2026-03-02',
  totalPeople: 5,
  totalBots: 1,
  allTimePeople: 50,
  days: DAYS,
  referrers: CLICKS.referrers,
}
const RANGE = { from: '2026-03-01', to: '2026-03-02' }

const answer = (body: unknown): void => service.answers(() => ({ status: 200, body }))

test('asks for the clicks of a range of days', async () => {
  answer({ data: { status: 'success', message: 'x', clicks: CLICKS } })
  expect(await testClient.client.clicks('sl_1', RANGE)).toEqual(READ)
  await testClient.client.clicks('sl_1')
  expect(service.received.map(({ method, url }) => [method, url])).toEqual([
    ['GET', '/prefix/api/v1/shortlinks/sl_1/clicks?from=2026-03-01&to=2026-03-02'],
    ['GET', '/prefix/api/v1/shortlinks/sl_1/clicks'],
  ])
})

test.each([{ data: CLICKS }, { clicks: CLICKS }, CLICKS])(
  'reads clicks in another envelope',
  async (body) => {
    answer(body)
    expect(await testClient.client.clicks('sl_1', RANGE)).toEqual(READ)
  },
)

test('fills in the days, the totals and the order that a service leaves out', async () => {
  answer({ clicks: { days: [{ date: '2026-03-03', people: 2 }, DAYS[0]], referrers: 'none' } })
  expect(await testClient.client.clicks('sl_1')).toEqual({
    from: '2026-03-01',
    to: '2026-03-03',
    totalPeople: 7,
    totalBots: 1,
    allTimePeople: undefined,
    days: [...DAYS, { date: '2026-03-03', people: 2, bots: 0 }],
    referrers: [],
  })
})

test('keeps the ten hosts that most people came from', async () => {
  const referrers = Array.from({ length: 30 }, (_, index) => ({
    host: `${index}.example`,
    people: index,
  }))
  answer({ clicks: { ...CLICKS, referrers } })
  const { referrers: read } = await testClient.client.clicks('sl_1', RANGE)
  expect(read).toHaveLength(10)
  expect(read[0]).toEqual({ host: '29.example', people: 29 })
})

test.each([
  ['no days', { clicks: { total_people: 3 } }],
  ['negative clicks', { clicks: { days: [{ date: '2026-03-01', people: -1, bots: 0 }] } }],
  ['a range of a thousand years', { clicks: { ...CLICKS, from: '1026-03-01' } }],
  ['a range that ends before it begins', { clicks: { ...CLICKS, from: '2026-03-09' } }],
  ['too many days', { clicks: { days: Array.from({ length: 400 }, () => DAYS[0]) } }],
])('throws a readable error if the answer has %s', async (_, body) => {
  answer(body)
  expect(await errorOf(testClient.client.clicks('sl_1'))).toMatchObject({
    name: 'ResponseShapeError',
  })
})
