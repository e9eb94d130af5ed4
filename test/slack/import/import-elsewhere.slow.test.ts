import { parse } from 'csv-parse/sync'
import { expect, vi } from 'vitest'
import { createDrivenClock } from '../../support/driven-clock.ts'
import {
  created,
  failure,
  fieldsIn,
  success,
  type Answer,
  type ReceivedRequest,
} from '../../support/fake-link-service.ts'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { texts } from '../../support/texts.ts'

const clock = createDrivenClock()
const { test, app, slack, ana, service } = withAppElsewhere({ clock })

/** A service with nothing but the specification, which refuses a destination or a back-half that it has. */
function specification() {
  const links: Record<string, string>[] = []
  const create = (request: ReceivedRequest): Answer => {
    const { destination_url: destination = '', back_half: backHalf } = fieldsIn(request)
    const isTaken = links.some(
      (link) => link['destination_url'] === destination || link['back_half'] === backHalf,
    )
    if (isTaken) return failure(409, 'CONFLICT')
    const half = backHalf ?? `generated-${links.length}`
    const link = {
      name: `lnk_${half}`,
      destination_url: destination,
      shortlink_url: `https://go.example.com/${encodeURIComponent(half)}`,
      created_at: new Date(clock.now()).toISOString(),
    }
    links.unshift({ ...link, back_half: half })
    return created(link)
  }
  const list = (): Answer => success({ shortlinks: links, links, total_items: links.length })
  return { links, create, list }
}

async function importFile(rows: readonly string[]): Promise<void> {
  await ana.opens('/shorten import', 'You’ll see a preview')
  const bytes = new TextEncoder().encode(['url,slug', ...rows].join('\n'))
  ana.uploads('csv_file', { name: 'links.csv', bytes })
  await ana.submits()
  await ana.seesModal('can be created')
  await ana.submits()
}

async function result() {
  const shared = await clock.until(() => ana.sees('app').findLast(({ files }) => files))
  const [id = ''] = shared.files ?? []
  const csv = slack.workspace.file(id)?.bytes ?? ''
  return parse<Record<string, string>>(csv, { bom: true, columns: true })
}

/** The service lists no links, and answers like this when it should create one. */
const answerCreates = (answer: (request: ReceivedRequest) => Answer): void =>
  service.answers((request) =>
    request.method === 'POST' ? answer(request) : success({ shortlinks: [] }),
  )

const rowsOf = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, at) => `https://${name}.test/${at},`)

test.afterEach(() => {
  for (const { ts } of ana.sees('app')) slack.workspace.parts.messages.remove('D0ANAMARTINS', ts)
})

test('waits as long as the service asks, and says until when', async () => {
  const { create, links } = specification()
  let refusals = 3
  const headers = { 'retry-after': '50' }
  answerCreates((request) =>
    links.length >= 4 && refusals-- > 0
      ? failure(429, 'RATE_LIMIT_EXCEEDED', { headers })
      : create(request),
  )
  const before = clock.now()
  await importFile(rowsOf(9, 'limited'))
  expect((await result()).map(({ result }) => result)).toEqual(Array(9).fill('created'))
  expect(links).toHaveLength(9)
  expect(clock.now() - before).toBeGreaterThanOrEqual(50_000)
})

test('tries rows again after a failure, and creates none twice although responses got lost', async () => {
  const { create, links, list } = specification()
  let failures = 0
  service.answers((request) => {
    if (request.method !== 'POST') return list()
    failures += 1
    if (failures % 5 === 1) return failure(503, 'SERVICE_UNAVAILABLE')
    const answer = create(request)
    return failures % 7 === 1 ? 'destroy' : answer
  })
  await importFile(rowsOf(12, 'lossy'))
  const rows = await result()
  expect(rows.filter(({ short_url: url }) => url)).toHaveLength(12)
  expect(links).toHaveLength(12)
})

test('finds a link whose response got lost while the service could list no links', async () => {
  const { create, links, list } = specification()
  const down = { until: clock.now() + 60_000 }
  service.answers((request) => {
    const isDown = clock.now() < down.until
    if (request.method !== 'POST') return isDown ? failure(503, 'SERVICE_UNAVAILABLE') : list()
    const answer = create(request)
    return isDown ? 'destroy' : answer
  })
  await importFile(['https://unlisted.test/1,unlisted', 'https://unlisted.test/2,größe'])
  expect((await result()).map(({ result }) => result)).toEqual(['created', 'created'])
  expect(links).toHaveLength(2)
})

test('a row that always fails doesn’t hold up the others, and an outage loses none', async () => {
  const { create, links } = specification()
  const down = { until: clock.now() + 5 * 60_000 }
  answerCreates((request) => {
    const isBad = fieldsIn(request)['destination_url']?.endsWith('/2') === true
    const answers = clock.now() > down.until && !isBad
    return answers ? create(request) : failure(500, 'INTERNAL_ERROR')
  })
  await importFile(rowsOf(10, 'outage'))
  const rows = await result()
  expect(rows.filter(({ result }) => result === 'created')).toHaveLength(9)
  expect(rows[2]).toMatchObject({ result: 'failed' })
  expect(links).toHaveLength(9)
})

test('shows the progress at most every 3 seconds, whatever the service says', async () => {
  const { create } = specification()
  let calls = 0
  const headers = { 'retry-after': '20' }
  answerCreates((request) => {
    calls += 1
    return calls % 8 === 5 ? failure(429, 'RATE_LIMIT_EXCEEDED', { headers }) : create(request)
  })
  const { messages } = slack.workspace.parts
  const replace = messages.replace.bind(messages)
  const times: number[] = []
  const edits = vi.spyOn(messages, 'replace').mockImplementation((message, content) => {
    if (content.text.includes('is importing')) times.push(clock.now())
    replace(message, content)
  })
  await importFile(rowsOf(24, 'often'))
  await result()
  edits.mockRestore()
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0))
  expect(gaps.length).toBeGreaterThan(1)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3_000)
})

test('gives up on all rows at once if the key is refused', async () => {
  const { create, links } = specification()
  service.answers((request) =>
    links.length >= 4 ? failure(401, 'AUTHENTICATION_REQUIRED') : create(request),
  )
  service.received.length = 0
  await importFile(rowsOf(40, 'refused'))
  const rows = await result()
  expect(rows.filter(({ result }) => result === 'created')).toHaveLength(4)
  expect(rows.at(-1)?.['reason']).toContain('doesn’t accept this workspace’s API key')
  expect(service.received.length).toBeLessThan(15)
})

test('ends when it is stopped, and says which rows are left', async () => {
  const { create, links } = specification()
  const held = Promise.withResolvers<undefined>()
  service.answers(async (request) => {
    if (links.length === 4) await held.promise
    return create(request)
  })
  await importFile(rowsOf(20, 'stopped'))
  await clock.until(() => links.length === 4)
  await ana.presses('Stop', { in: 'app' })
  held.resolve(undefined)
  const rows = await result()
  expect(rows.filter(({ result }) => result === 'created')).toHaveLength(links.length)
  expect(links.length).toBeLessThan(20)
  expect(rows.at(-1)).toMatchObject({ result: 'not imported' })
  expect(ana.sees('app').map(texts).join('')).toContain('was stopped:')
  expect(app.slack.refusals()).toEqual([])
})

test('sends the message without a file if Slack refuses the file', async () => {
  const { create } = specification()
  service.answers(create)
  slack.failNext('files.getUploadURLExternal', { error: 'not_allowed_token_type' })
  await importFile(rowsOf(2, 'nofile'))
  await clock.until(() => ana.sees('app').map(texts).join().includes('didn’t accept the file'))
})
