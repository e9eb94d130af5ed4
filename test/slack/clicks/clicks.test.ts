import { afterEach, expect } from 'vitest'
import { systemClock, type Clock } from '../../../src/timing/clock.ts'
import { LIST_PATH, SHORTLINKS_PATH } from '../../../src/contract/endpoints.ts'
import type { Message, SlackJson } from '../../../src/simulator/protocol.ts'
import { objects } from '../../../src/simulator/shared/slack-json.ts'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { daysFrom } from '../../support/click-days.ts'
import {
  clickAnswer,
  created,
  failure,
  oneLink,
  type Answer,
  type Responder,
} from '../../support/fake-link-service.ts'
import { offersDocument } from '../../support/offers-document.ts'
import { texts } from '../../support/texts.ts'

const OURS = 'https://go.example.com/x7Kp2Qa'
const OTHER = { name: 'lnk_2', shortlink_url: 'https://go.example.com/posters', clicks: 1234 }

const REFERRERS = [
  { host: 'news.example', people: 12 },
  { host: '<!channel>', people: 3 },
]

function clicksOf(people: readonly number[], bots = 0, referrers = REFERRERS): Answer {
  const days = daysFrom('2026-03-01', people)
  return clickAnswer(days, { total_bots: bots, all_time_people: 9000, referrers })
}

const THIRTY_DAYS = [...Array<number>(23).fill(10), 1, 2, 3, 4, 5, 6, 7]

let clicks: Answer
/** The link by itself. */
let single: Answer
/** The pages of the list, or matches of a search, by query. */
let listed: (query: URLSearchParams) => unknown[]

const answers: Responder = ({ method, url }) => {
  const { pathname, searchParams } = new URL(url, 'http://service')
  if (method === 'POST') return created()
  if (pathname.startsWith(SHORTLINKS_PATH) && pathname.endsWith('/clicks')) return clicks
  if (pathname === `${SHORTLINKS_PATH}/lnk_1`) return single
  if (pathname === LIST_PATH) {
    const shortlinks = listed(searchParams)
    const pagination = { page: 1, per_page: Number(searchParams.get('per_page')), total_pages: 1 }
    return { status: 200, body: { data: { shortlinks, pagination } } }
  }
  return failure(404, 'NOT_FOUND')
}

function reset(): void {
  clicks = clicksOf(THIRTY_DAYS)
  single = failure(404, 'NOT_FOUND')
  listed = () => []
}
reset()
afterEach(reset)

let time = Date.parse('2026-03-30T12:00:00Z')
const clock: Clock = { ...systemClock, now: () => time }
const { test, slack, ana, gil, until, settings, service } = withAppElsewhere({ answers, clock })

/** The app asks again what the service offers once a day has passed. */
async function learnOffers(document: unknown): Promise<void> {
  service.describes(document ? { status: 200, body: document } : failure(404, 'NOT_FOUND'))
  time += 2 * 86_400_000
  let form: string
  do {
    form = await ana.opens('/shorten', 'destination_url')
    await ana.closes()
  } while (form.includes('expires_at') !== (document !== undefined))
}

test.beforeAll(async ({ app: _app }) => {
  await ana.asks('/shorten https://example.com/page title="Spring sale" qr=off', { for: 'x7Kp2Qa' })
  // A busy machine can store the record of the link only after the answer.
  while (!texts(await ana.asks('/shorten list mine')).includes('x7Kp2Qa'));
  await learnOffers(offersDocument())
})

/** Ana types the command, and sees an answer that contains a text. */
const clicksCommand = (text: string, expected: string) =>
  ana.asks(`/shorten clicks ${text}`, { for: expected })

function imageOf(message: Message): SlackJson | undefined {
  return objects(message.blocks).find(({ type }) => type === 'image')
}

test('shows the clicks on a link that was created in Slack, and their chart as a picture with the same figures', async () => {
  clicks = clicksOf(THIRTY_DAYS, 31)
  const seen = ana.sees('general').length
  const message = await clicksCommand('go.example.com/x7Kp2Qa/?utm_source=x', 'Last 30 days')
  const shown = texts(message)
  expect(message.ephemeral).toBe(true)
  expect(shown).toContain('Spring sale')
  expect(shown).toContain('Today\\n*7*')
  expect(shown).toContain('Last 7 days\\n*28*')
  expect(shown).toContain('Last 30 days\\n*258*')
  expect(shown).toContain('All time\\n*9,000*')
  expect(shown).toContain('news.example\u2069  ·  12')
  expect(shown).toContain('&lt;!channel&gt;')
  expect(shown).toContain('opened the link 31 times more in 30 days')
  const midnight = Date.parse('2026-03-30T00:00:00Z') / 1000
  expect(shown).toContain(`Days are counted in UTC: today began on <!date^${midnight}^`)
  // Slack can't change an answer to a command, so the picture follows it.
  const chart = await until(() => ana.sees('general').slice(seen).find(imageOf))
  expect(chart.ephemeral).toBe(true)
  expect(texts(chart)).toContain('slack_file')
  expect(imageOf(chart)?.['alt_text']).toContain(
    'Clicks by people: 7 today, 28 in 7 days, 258 in 30 days, 9,000 in total.',
  )
})

const host = (at: number) => ({ host: `site-${at}.example`, people: 5 })

const SITES = ['news.example  ·  12', '&lt;!channel&gt;  ·  3']

test.each<[string, number[], typeof REFERRERS, string[]]>([
  ['no clicks', [0], [], []],
  ['no clicks from a site', [12], [], ['Direct or unknown  ·  12']],
  ['some from sites', [1_000_000, 12], REFERRERS, [...SITES, 'Direct or unknown  ·  999,997']],
  ['all from sites', [10, 5], REFERRERS, SITES],
  [
    'more sites than are listed',
    Array<number>(366).fill(1),
    Array.from({ length: 10 }, (_, at) => host(at)),
    [
      ...Array.from({ length: 10 }, (_, at) => `site-${at}.example  ·  5`),
      'Other sites, direct or unknown  ·  316',
    ],
  ],
  [
    'long and right-to-left names',
    [9],
    [
      { host: 'א'.repeat(120), people: 2 },
      { host: 'שלום.example', people: 3 },
    ],
    [`${'א'.repeat(99)}…  ·  2`, 'שלום.example  ·  3', 'Direct or unknown  ·  4'],
  ],
])('the rows of where people came from add up: %s', async (_who, people, referrers, rows) => {
  clicks = clicksOf(people, 0, referrers)
  const message = await clicksCommand(OURS, 'All time')
  const text = objects(message.blocks)
    .map((block) => String((block['text'] as SlackJson | undefined)?.['text']))
    .find((one) => one.startsWith('*Where people came from'))
  const [heading, ...shown] = text?.replaceAll(/[\u2068\u2069]/g, '').split('\n') ?? []
  expect(shown).toEqual(rows)
  if (rows.length === 0) return
  expect(heading).toBe(
    `*Where people came from in ${people.length === 1 ? '1 day' : `${people.length} days`}*`,
  )
  const numbers = shown.map((row) => Number(row.split('·')[1]?.replaceAll(',', '')))
  expect(numbers.reduce((sum, count) => sum + count)).toBe(people.reduce((sum, day) => sum + day))
})

test.each<[string, object, RegExp]>([
  ['is on', {}, /white_check_mark: on"/],
  ['is on and expires', { expires_at: '2999-01-01T00:00:00Z' }, /: on {2}· {2}expires <!date/],
  ['is off', { enabled: false }, /no_entry_sign:\u00a0off"/],
  ['has expired', { expires_at: '2026-01-01T00:00:00Z' }, /hourglass:\u00a0expired"/],
])('says that a link %s', async (_state, link, shown) => {
  single = oneLink({ title: 'A title', ...link })
  expect(texts(await clicksCommand(OURS, 'A title'))).toMatch(shown)
})

test('reads a link again only if the app’s own record of links had it', async () => {
  const reads = () =>
    service.received.filter(
      ({ method, url }) => method === 'GET' && /shortlinks\/lnk_\d$/.test(url),
    ).length
  await clicksCommand(OURS, 'All time')
  expect(reads()).toBe(1)
  listed = () => [{ ...OTHER, enabled: false, destination_url: 'https://example.com/p' }]
  await clicksCommand('go.example.com/posters', 'no_entry_sign:\u00a0off')
  expect(reads()).toBe(1)
})

test('shows the figures at once, and keeps them if the picture can’t be uploaded', async () => {
  slack.failNext('files.getUploadURLExternal', { error: 'internal_error' })
  const message = await clicksCommand(OURS, 'Last 30 days')
  expect(texts(message)).toContain('All time\\n*9,000*')
  await ana.gets('can’t be shown right now')
  expect(ana.sees('general')).toContainEqual(message)
})

test('finds a link that was not created in Slack by a search', async () => {
  let searched: string | null = null
  listed = (query) => {
    searched = query.get('q')
    return searched === null ? [] : [{ ...OTHER, destination_url: 'https://example.com/p' }]
  }
  await clicksCommand('https://go.example.com/posters', 'Last 30 days')
  expect(searched).toBe('go.example.com/posters')
  expect(service.received.map(({ url }) => url)).toContain(`${SHORTLINKS_PATH}/lnk_2/clicks`)
})

test.each([
  ['https://go.example.com/nope', 'can’t find go.example.com/nope among'],
  ['', 'Type one short link or its back-half after'],
  ['go.example.com/a go.example.com/b', 'Type one short link or its back-half after'],
])('explains what to type instead of “%s”', async (text, expected) => {
  await clicksCommand(text, expected)
})

test.each([
  [failure(404, 'NOT_FOUND'), 'The link service doesn’t have this link anymore.'],
  [failure(503, 'UNAVAILABLE'), 'The link service failed (error 503).'],
])('explains why there are no clicks: %s', async (answer, expected) => {
  clicks = answer
  await clicksCommand(OURS, expected)
})

test('shows the total of the list if the service says nothing about days', async () => {
  await learnOffers(undefined)
  listed = () => [{ ...OTHER, destination_url: 'https://example.com/p' }]
  const message = await clicksCommand('go.example.com/posters', '*1,234 clicks* in total')
  expect(texts(message)).toContain('doesn’t report when links were clicked')
  await learnOffers(offersDocument())
})

test('shows no clicks to guests if guests might not see links', async () => {
  await settings.set({ mayShorten: 'not_guests' })
  await gil.asks(`/shorten clicks ${OURS}`, { for: 'Guests can’t see the short links' })
})
