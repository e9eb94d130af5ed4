import { afterEach, expect } from 'vitest'
import type { Report } from '../../../src/contract/report.ts'
import { REPORTS_PATH } from '../../../src/contract/endpoints.ts'
import type { Message, SlackJson } from '../../../src/simulator/protocol.ts'
import { objects } from '../../../src/simulator/shared/slack-json.ts'
import { systemClock, type Clock } from '../../../src/timing/clock.ts'
import { failure, success, type Answer, type Responder } from '../../support/fake-link-service.ts'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { offersDocument } from '../../support/offers-document.ts'
import { texts } from '../../support/texts.ts'

/** Clicks on the last day of the range, by the name of the group. Absent: the service fails. */
let clicked: Record<string, Record<string, number>> | undefined

const SPRING = {
  utm_source: { newsletter: 60, '': 30, '<b>': 10 },
  link: { 'https://go.example.com/sale': 60, 'https://go.example.com/news': 40 },
}

const answers: Responder = ({ url }) => {
  const { pathname, searchParams: query } = new URL(url, 'http://service')
  if (pathname !== REPORTS_PATH) return failure(404, 'NOT_FOUND')
  return clicked ? reportOf(query) : failure(503, 'UNAVAILABLE')
}

function reportOf(query: URLSearchParams): Answer {
  const by = query.get('group_by') as Report['group_by']
  if (by === 'tag' && !clicked?.[by]) return failure(400, 'VALIDATION_ERROR')
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
  const days = datesFrom(from, to)
  const groups = Object.entries(clicked?.[by] ?? {}).map(([label, people]) => ({
    name: label,
    label,
    people,
    previous_people: 20,
    days: days.map((date) => (date === to ? people : 0)),
  }))
  const total = groups.reduce((sum, { people }) => sum + people, 0)
  const report: Report = {
    from,
    to,
    previous_from: '2026-10-09',
    previous_to: '2026-10-31',
    group_by: by,
    ...(unknown && { unknown }),
    total_people: total,
    previous_people: 80,
    groups,
    has_more: false,
    days: days.map((date) => ({ date, people: date === to ? total : 0 })),
  }
  return success({ report })
}

function datesFrom(from: string, to: string): string[] {
  const first = Date.parse(from)
  return Array.from({ length: (Date.parse(to) - first) / 86_400_000 + 1 }, (_, at) =>
    new Date(first + at * 86_400_000).toISOString().slice(0, 10),
  )
}

let time = Date.parse('2026-11-23T12:00:00Z')
const clock: Clock = { ...systemClock, now: () => time }
const document = { status: 200, body: offersDocument() }
const { test, slack, ana, ben, gil, until, settings, service } = withAppElsewhere({
  answers,
  clock,
  document,
})

let unknown: Report['unknown']

afterEach(() => {
  clicked = undefined
  unknown = undefined
})

const shownIn = (message: Message): string => texts(message).replaceAll(/[\u2068\u2069]/g, '')

function imageOf(message: Message): SlackJson | undefined {
  return objects(message.blocks).find(({ type }) => type === 'image')
}

const buttonsOf = (message: Message): unknown[] =>
  objects(message.blocks)
    .filter(({ type }) => type === 'actions')
    .flatMap(({ elements }) => objects(elements).map(({ text }) => objects([text])[0]?.['text']))

/** The queries of the reports that were asked for. */
const asked = (): Record<string, string>[] =>
  service.received.map(({ url }) => Object.fromEntries(new URL(url, 'http://service').searchParams))

test('shows the figures at once, and their chart as a picture with the same figures', async () => {
  clicked = SPRING
  const seen = ana.sees('general').length
  const message = await ana.asks('/shorten report spring-sale', { for: 'Clicks on campaign' })
  const shown = shownIn(message)
  expect(message.ephemeral).toBe(true)
  expect(shown).toContain('*Clicks on campaign “spring-sale”*\\nNov 1 – Nov 23, 2026 (UTC)')
  expect(shown).toContain(
    '*100 clicks*\\n+25% compared with 80 in the 23 days before (Oct 9 – Oct 31, 2026).',
  )
  expect(shown).toContain('newsletter: 60. No source: 30. &lt;b&gt;: 10')
  expect(shown).toContain(
    '1. <https://go.example.com/sale|go.example.com/sale>  ·  60 clicks (+200%)\\n2. ',
  )
  expect(buttonsOf(message)).toEqual([
    ...['This week', 'Last week', 'Last month', 'This year'],
    ...['By link', 'Share in channel', 'Alert me'],
  ])
  const picture = await until(() => ana.sees('general').slice(seen).find(imageOf))
  expect(imageOf(picture)?.['alt_text']).toBe(
    'Nov 1 – Nov 23, 2026 (UTC): 100 clicks by people. newsletter: 60. No source: 30. <b>: 10',
  )
  expect(texts(picture)).toContain('slack_file')
})

test('asks for all filters and the period, and the buttons keep them', async () => {
  clicked = SPRING
  const text = '/shorten report tag:print tag:"Spring sale" source:newsletter last month'
  const message = await ana.asks(text, { for: 'Clicks on source' })
  const filters = { utm_source: 'newsletter', tag: 'print,Spring sale', limit: '5' }
  const october = { from: '2026-10-01', to: '2026-10-31' }
  expect(asked().toSorted((one) => (one['group_by'] === 'link' ? -1 : 1))).toEqual([
    { ...october, ...filters, group_by: 'link' },
    { ...october, ...filters, group_by: 'utm_source' },
  ])
  const chartOf = (title: string): Promise<SlackJson> => {
    const found = () => ana.sees('general').findLast((one) => shownIn(one).includes(title))
    return until(() => imageOf(found() ?? message))
  }
  await ana.presses('This week', { in: 'general', message })
  const today = { from: '2026-11-23', to: '2026-11-23', ...filters }
  expect((await chartOf('\\nNov 23, 2026 (UTC)'))['alt_text']).toContain('newsletter: 60.')
  expect(asked()).toContainEqual({ ...today, group_by: 'utm_source' })
  await ana.presses('By link', { in: 'general' })
  expect((await chartOf('By source'))['alt_text']).toContain('. go.example.com/sale: 60.')
  expect(asked().at(-1)).toEqual({ ...today, group_by: 'link' })
})

test('shares a report with the channel once, without buttons', async () => {
  clicked = SPRING
  const message = await ana.asks('/shorten report spring-sale', { for: 'Share in channel' })
  const press = () => ana.presses('Share in channel', { in: 'general', message })
  await Promise.all([press(), press()])
  const shared = await until(() =>
    ben.sees('general').find((one) => texts(one).includes('Shared by')),
  )
  expect(shownIn(shared)).toContain('*100 clicks*')
  expect(shownIn(shared)).toContain(`Shared by <@${ana.id}>`)
  expect(buttonsOf(shared)).toEqual([])
  const picture = await until(() => ben.sees('general').find(imageOf))
  expect(picture.ephemeral).toBeFalsy()
  await press()
  await ana.gets('You have already shared this report here, or it is being shared.')
  expect(ben.sees('general').filter((one) => texts(one).includes('Shared by'))).toHaveLength(1)
})

test('says if Slack does not let it share a report', async () => {
  clicked = SPRING
  const message = await ana.asks('/shorten report x last week', { in: 'marketing', for: 'Share' })
  await until(() => ana.sees('marketing').find(imageOf))
  slack.failNext('response_url', { error: 'expired_url' })
  await ana.presses('Share in channel', { in: 'marketing', message })
  await ana.gets('Slack didn’t let Backhalf share the report here.', { in: 'marketing' })
})

test('a report without clicks says so', async () => {
  clicked = {}
  const message = await ana.asks('/shorten report tag:print last year', { for: 'No clicks' })
  expect(shownIn(message)).toContain('-100% compared with 80 in the')
  expect(service.received).toHaveLength(2)
  expect(imageOf(message)).toBeUndefined()
})

test('says that no link has a name, and a button asks for the nearest one', async () => {
  clicked = {}
  unknown = [{ filter: 'tag', name: 'prnt', nearest: ['print', 'pint'] }]
  const message = await ana.asks('/shorten report tag:prnt,x', {
    for: 'No link has the tag *prnt*',
  })
  expect(shownIn(message)).toContain('Did you mean *print* or *pint*?')
  expect(shownIn(message)).not.toContain('No clicks')
  unknown = undefined
  await ana.presses('print', { in: 'general', message })
  await ana.gets('*Clicks on tag “print”, tag “x”*')
  unknown = [{ filter: 'utm_campaign', name: 'print', nearest: [] }]
  await ana.asks('/shorten report print', { for: '/shorten report tag:NAME' })
})

test('keeps the figures if the picture can’t be uploaded', async () => {
  clicked = SPRING
  slack.failNext('files.getUploadURLExternal', { error: 'internal_error' })
  const message = await ana.asks('/shorten report this year', { for: '*100 clicks*' })
  await ana.gets('The chart of the clicks on all links can’t be shown right now.')
  expect(ana.sees('general')).toContainEqual(message)
})

test('explains what it doesn’t understand, and shows what was typed', async () => {
  const message = await ana.asks('/shorten report sorce:x', { for: 'Did you mean source:?' })
  expect(texts(message)).toContain('/shorten report sorce:x')
  expect(service.received).toEqual([])
})

test('shows no report to guests if guests might not see links', async () => {
  await settings.set({ mayShorten: 'not_guests' })
  await gil.asks('/shorten report', { for: 'Guests can’t see the short links' })
  expect(service.received).toEqual([])
  await settings.set({ mayShorten: 'everyone' })
})

test('says that the service failed', async () => {
  await ana.asks('/shorten report', { for: 'failed (error 503)' })
})

test('hides everything about reports if the service has none', async () => {
  const { paths, ...rest } = offersDocument()
  const { [REPORTS_PATH]: _reports, ...others } = paths
  service.describes({ status: 200, body: { ...rest, paths: others } })
  time += 2 * 86_400_000
  let help: string
  do help = texts(await ana.asks('/shorten reprot', { for: 'Lists and clicks' }))
  while (help.includes('Reports'))
  expect(help.replace('reprot', '')).not.toMatch(/report/i)
  await ana.asks('/shorten report', { for: 'This workspace’s link service has no reports.' })
})
