import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import autocannon from 'autocannon'
import { LIST_PATH, REPORTS_PATH, SHORTLINKS_PATH, TAGS_PATH } from '../src/contract/endpoints.ts'
import { fill, fillClicks, filledId, filledPath, LAST_CLICKS } from './fill.ts'
import type { Measurement } from './table.ts'
import { startTarget, type Target } from './target.ts'

/** How long each operation is measured, in seconds. A warm-up comes first. */
const SECONDS = 4
const WARM_UP_SECONDS = 1
const CONNECTIONS = 64

/** The number of links that are requested in turn. */
const REDIRECTED_LINKS = 1_000

/** How often redirects are measured with and without a check of alerts, in turn. */
const ALERT_ROUNDS = 3

/** How often each page is requested. */
const REPEATS = 20

/**
 * Measures reports, list pages and searches of a service with many links, each alone, and redirects while they are
 * requested one after the other without a pause. The baselines are redirects of the same service alone, and
 * beside a thread that only takes time.
 */
export async function benchLargeData(links: number): Promise<Measurement[]> {
  const directory = await mkdtemp(join(tmpdir(), 'backhalf-bench-'))
  const url = `file:${join(directory, 'large.db')}`
  try {
    await fill(url, links)
    fillClicks(url, links)
    const target = await startTarget('link service, SQLite', 'backhalf.ts', ['service', url])
    const of = `${links.toLocaleString('en')} links`
    const [pages, reports] = [pagesOf(target, links), reportsOf(target)]
    const measured: Measurement[] = []
    for (const [name, path, headers] of [...pages, ...reports]) {
      const times = await timesOf(target, path, headers, REPEATS)
      measured.push({
        operation: `${name}, ${of}`,
        target: target.name,
        perSecond: (times.length * 1000) / times.reduce((sum, time) => sum + time, 0),
        p50: percentile(times, 0.5),
        p99: percentile(times, 0.99),
      })
    }
    measured.push(await redirects(target, `redirect, ${of}`))
    // On a machine with two cores, any work takes CPU time from redirects. This thread shows how much.
    const busy = new Worker('for (;;);', { eval: true })
    measured.push(await redirects(target, `redirect beside a busy thread, ${of}`))
    await busy.terminate()
    const checkAlerts = async (): Promise<void> => {
      await sleep(WARM_UP_SECONDS * 1_000)
      for (const [, path, headers] of alertRequestsOf(target)) {
        await timesOf(target, path, headers, 1)
      }
    }
    for (let round = 1; round <= ALERT_ROUNDS; round++) {
      measured.push(await redirects(target, `redirect, round ${round} without alerts, ${of}`))
      const [loaded] = await Promise.all([
        redirects(target, `redirect, round ${round} with a check of 50 alerts, ${of}`),
        checkAlerts(),
      ])
      measured.push(loaded)
    }
    for (const [name, requests] of Object.entries({ 'searches and lists': pages, reports })) {
      const done = new AbortController()
      const readers = (async () => {
        for (let at = 0; !done.signal.aborted; at++) {
          const [, path, headers] = requests[at % requests.length] ?? ['', '', {}]
          await timesOf(target, path, headers, 1)
        }
      })()
      measured.push(await redirects(target, `redirect during ${name}, ${of}`))
      done.abort()
      await readers
    }
    await target.stop()
    return measured
  } finally {
    await rm(directory, { recursive: true })
  }
}

type Page = [name: string, path: string, headers: Record<string, string>]

function pagesOf({ apiKey, cookie }: Target, links: number): Page[] {
  const list = (name: string, query: string): Page => [
    name,
    `${LIST_PATH}?${query}`,
    { 'x-api-key': apiKey },
  ]
  const dashboard = (name: string, query: string): Page => [
    name,
    `/dashboard?${query}`,
    { cookie: cookie ?? '' },
  ]
  const lastPage = Math.floor(links / 100)
  return [
    list('list, first page', 'per_page=100'),
    list('list, middle page', `per_page=100&page=${lastPage >> 1}`),
    list('list, last page', `per_page=100&page=${lastPage}`),
    list('list by update, middle page', `sort_by=updated_at&per_page=100&page=${lastPage >> 1}`),
    list('list by clicks, middle page', `sort_by=clicks&per_page=100&page=${lastPage >> 1}`),
    list('list by a tag of 7 %, first page', 'tag=tag-3&per_page=100'),
    list('list by a tag of 7 %, middle page', `tag=tag-3&per_page=100&page=${lastPage >> 5}`),
    list('list by a tag of 7 %, by clicks', 'tag=tag-3&sort_by=clicks&per_page=100'),
    list('search within a tag of 7 %', 'tag=tag-3&q=example.com&per_page=100'),
    ['tags', TAGS_PATH, { 'x-api-key': apiKey }],
    dashboard('dashboard, newest', ''),
    dashboard('dashboard, by clicks', 'sort=clicks'),
    dashboard('dashboard, by clicks, middle page', `sort=clicks&page=${Math.floor(links / 50)}`),
    dashboard('dashboard, by title, middle page', `sort=title&page=${Math.floor(links / 50)}`),
    dashboard('search, one match', `q=page/${Math.floor(links * 0.77)}?`),
    dashboard('search, a whole URL', `q=https://example.com/some/long/page/${links >> 1}`),
    dashboard('search, one in 1,000', 'q=spring campaign'),
    dashboard('search, all match', 'q=example.com'),
    dashboard('search, all match, by clicks', 'q=example.com&sort=clicks'),
    dashboard('search, no match', 'q=nowhere at all'),
    dashboard('search, no match, groups in all', 'q=page/some/lon'),
  ]
}

/** Reports of a month and of a year, with the month or the year before. */
function reportsOf({ apiKey }: Target): Page[] {
  const ranges = { month: LAST_CLICKS.replace(/..$/, '01'), year: '2025-11-23' }
  return Object.entries(ranges).flatMap(([range, from]) =>
    [
      'group_by=utm_source',
      'group_by=utm_campaign',
      'group_by=tag',
      'group_by=link',
      'group_by=link&utm_campaign=campaign-5',
      'group_by=utm_source&tag=tag-3',
    ].map((query): Page => [
      `report of a ${range}, ${query.replaceAll('&', ', ')}`,
      `${REPORTS_PATH}?from=${from}&to=${LAST_CLICKS}&${query}`,
      { 'x-api-key': apiKey },
    ]),
  )
}

/**
 * What the app asks for when it checks 50 alerts of a workspace, which it does every five minutes: 10 about the clicks on a tag, 10 on a
 * campaign, 20 on a link, and 10 about changes, links that expire and dead destinations.
 */
function alertRequestsOf({ apiKey }: Target): Page[] {
  const request = (path: string): Page => ['', path, { 'x-api-key': apiKey }]
  const of = <T>(count: number, make: (at: number) => T): T[] =>
    Array.from({ length: count }, (_, at) => make(at))
  const report = (query: string, at: number): Page => {
    const from = at % 2 === 0 ? '2025-11-23' : '2026-10-24'
    return request(
      `${REPORTS_PATH}?group_by=utm_campaign&limit=1&from=${from}&to=${LAST_CLICKS}&${query}`,
    )
  }
  return [
    ...of(10, (at) => report(`tag=tag-${at}`, at)),
    ...of(10, (at) => report(`utm_campaign=campaign-${at}`, at)),
    ...of(20, (at) => request(`${SHORTLINKS_PATH}/${filledId(at + 1)}/clicks`)),
    ...of(3, (at) => request(`${LIST_PATH}?sort_by=updated_at&per_page=100&page=${at + 1}`)),
    request(`${LIST_PATH}?sort_by=updated_at&per_page=100&tag=tag-3`),
    request(`${LIST_PATH}?expires_before=2030-01-01T00:00:00Z&per_page=100`),
    request(`${LIST_PATH}?state=dead&per_page=100`),
  ]
}

/** The duration of each request of a page, in milliseconds. */
async function timesOf(
  { baseUrl }: Target,
  path: string,
  headers: Record<string, string>,
  repeats: number,
): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < repeats; at++) {
    const start = performance.now()
    const response = await fetch(baseUrl + path, { headers, redirect: 'manual' })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${path} got the status ${response.status}`)
    times.push(performance.now() - start)
  }
  return times
}

async function redirects(target: Target, operation: string): Promise<Measurement> {
  const all = {
    url: target.baseUrl,
    connections: CONNECTIONS,
    requests: Array.from({ length: REDIRECTED_LINKS }, (_, at) => ({ path: filledPath(at + 1) })),
  }
  await autocannon({ ...all, duration: WARM_UP_SECONDS })
  const result = await autocannon({ ...all, duration: SECONDS })
  const failed = result.errors + result['4xx'] + result['5xx']
  if (failed > 0) throw new Error(`${operation}: ${failed} requests failed`)
  const { p50, p99 } = result.latency
  return { operation, target: target.name, perSecond: result.requests.average, p50, p99 }
}

/** In milliseconds, rounded to a tenth. */
function percentile(times: readonly number[], share: number): number {
  const index = Math.min(times.length - 1, Math.floor(times.length * share))
  return Math.round((times.toSorted((a, b) => a - b)[index] ?? 0) * 10) / 10
}
