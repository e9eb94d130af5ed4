import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import { startService } from '../../src/service/start-service.ts'
import { adminJson } from '../support/admin.ts'
import { startAppElsewhere } from '../support/app-elsewhere.ts'
import { startApp, testConfig, type TestApp } from '../support/app.ts'
import { created, failure } from '../support/fake-link-service.ts'
import { call } from '../support/service-calls.ts'
import { describeOnDatabase } from '../support/databases.ts'
import { scrape, total, type Scrape } from '../support/scrape.ts'
import { makeTempDir } from '../support/temp-dir.ts'
import { texts } from '../support/texts.ts'

const metrics = { host: '127.0.0.1', port: 0 }
const KEYS = [Buffer.alloc(32, 1)]

const scrapeOf = ({ running: { metricsUrl } }: TestApp): Promise<Scrape> => scrape(metricsUrl ?? '')

/** Shortens a link with the command. @returns its short URL */
async function shorten({ slack }: TestApp, destination: string): Promise<string> {
  const command = `/shorten ${destination} qr=off`
  const answer = await slack.ana.asks(command, { for: 'http://localhost:' })
  return /http:\/\/localhost:\d+\/\w+/.exec(texts(answer))?.[0] ?? ''
}

const open = (url: string): Promise<Response> => fetch(url, { redirect: 'manual' })

async function startMeasured(config: Partial<Config> = {}, slack = {}): Promise<TestApp> {
  const app = await startApp({ config: { metrics, ...config }, slack })
  onTestFinished(() => app.stop())
  return app
}

describeOnDatabase((given) => {
  test('counts a command, its calls, and the visits of its link', async () => {
    const app = await startMeasured({ encryptionKeys: KEYS, databaseUrl: given.url })
    const { ana } = app.slack
    const shortUrl = await shorten(app, 'https://secret-destination.example/page')
    expect((await open(shortUrl)).status).toBe(302)
    expect((await open(shortUrl)).status).toBe(302)
    const unknown = async () => (await open(`${shortUrl}-unknown`)).status
    expect(await unknown()).toBe(404)
    let notFound = 1
    await adminJson(app, 'domains', 'set', 'default', '--not-found-url', 'https://help.example/')
    await expect.poll(async () => (await unknown()) === 302 || ++notFound).toBe(true)
    const flushes = { outcome: 'written' }
    const isDone = async () => {
      const scraped = await scrapeOf(app)
      const isWritten = total(scraped, 'backhalf_click_flush_duration_seconds', flushes) > 0
      const isAnswered = total(scraped, 'backhalf_slack_answer_duration_seconds') > 0
      // The first flush might come before the clicks, because it also writes the last use of keys.
      return isWritten && isAnswered && total(scraped, 'backhalf_clicks_unwritten') === 0
    }
    await expect.poll(isDone).toBe(true)

    const scraped = await scrapeOf(app)
    const count = (name: string, labels?: Record<string, string>) => total(scraped, name, labels)
    const requests = (server: string, method: string, route: string, status: string) =>
      count('backhalf_http_request_duration_seconds', { server, method, route, status })
    const counts = {
      ready: count('backhalf_ready'),
      commands: count('backhalf_slack_acknowledgement_duration_seconds', { kind: 'command' }),
      answered: count('backhalf_slack_answer_duration_seconds', { kind: 'command' }),
      unacknowledged: count('backhalf_slack_unacknowledged_total'),
      creates: count('backhalf_link_service_calls_total', { call: 'create', outcome: 'ok' }),
      retries: count('backhalf_link_service_retries_total'),
      slackErrors: count('backhalf_slack_api_errors_total'),
      redirected: count('backhalf_redirects_total', { outcome: 'redirected' }),
      notFound: count('backhalf_redirects_total', { outcome: 'not_found' }),
      notFoundRedirected: count('backhalf_redirects_total', { outcome: 'not_found_redirected' }),
      hits: count('backhalf_redirect_cache_lookups_total', { result: 'hit' }),
      clicks: count('backhalf_clicks_total'),
      unwritten: count('backhalf_clicks_unwritten'),
      redirects: requests('service', 'GET', '/:backHalf', '302'),
      fromSlack: requests('app', 'POST', '/slack/events', '200'),
    }
    expect(counts).toEqual({
      ready: 2,
      commands: 1,
      answered: 1,
      unacknowledged: 0,
      fromSlack: 1,
      slackErrors: 0,
      creates: 1,
      retries: 0,
      clicks: 2,
      unwritten: 0,
      hits: 1,
      redirects: 3,
      redirected: 2,
      notFound,
      notFoundRedirected: 1,
    })
    expect(count('backhalf_slack_api_duration_seconds')).toBeGreaterThan(0)
    expect(count('backhalf_database_commit_writes')).toBeGreaterThan(0)
    for (const work of ['read', 'write', 'begin', 'commit']) {
      const labels = { pool: 'main', work }
      expect(count('backhalf_database_duration_seconds', labels), work).toBeGreaterThan(0)
    }
    expect(count('backhalf_build_info', { database: given.database.kind })).toBe(1)

    const samples = [...scraped.values()].flatMap((family) => family.samples)
    const all = samples.flatMap(({ labels }) => Object.values(labels)).join('\n')
    const backHalf = shortUrl.split('/').at(-1) ?? ''
    expect(backHalf.length).toBeGreaterThan(3)
    for (const secret of ['secret-destination', backHalf, ana.id, 'localhost', '127.0.0.1']) {
      expect(all, secret).not.toContain(secret)
    }
    expect(all).not.toMatch(/^[TUEC]0\w+$/m)
  })

  test('an app whose keys open nothing is not ready', async () => {
    const databaseUrl = given.url
    const withKeys = (...encryptionKeys: Buffer[]): Promise<TestApp> =>
      startApp({ config: { databaseUrl, metrics, encryptionKeys } })
    const readiness = async (app: TestApp) => {
      for (;;) {
        const answer = await call(`${app.running.appUrl}/readyz`)
        // On a busy machine, the database might miss a time limit.
        if (!answer.text.includes('The database is not available')) return answer
      }
    }
    const check = async (app: TestApp) => {
      const { status, text } = await readiness(app)
      const scraped = await scrapeOf(app)
      const unreadable = total(scraped, 'backhalf_secrets_unreadable', { of: 'workspaces' })
      await app.stop()
      return { status, text, unreadable }
    }
    const first = await withKeys(...KEYS)
    await shorten(first, 'https://example.com/')
    expect(await check(first)).toMatchObject({ status: 200, unreadable: 0 })
    const other = Buffer.alloc(32, 2)
    const wrong = await check(await withKeys(other))
    expect(wrong).toMatchObject({ status: 503, unreadable: 1 })
    expect(wrong.text).toContain('Check ENCRYPTION_KEYS, or the file encryption.keys')
    const before = await withKeys(...KEYS)
    expect((await readiness(before)).status).toBe(200)
    // Another process encrypts everything with a key that this process lacks.
    const both = await check(await withKeys(other, ...KEYS))
    expect(both).toMatchObject({ status: 200, unreadable: 0 })
    await expect.poll(async () => (await readiness(before)).status).toBe(503)
    expect(await check(before)).toMatchObject({ status: 503, unreadable: 1 })
  })
})

test.for([
  { aheadMs: -60_000, from: 59, to: 90, when: 'it waited in front of a process that was stopped' },
  { aheadMs: 60_000, from: 0, to: 40, when: 'Slack’s clock is ahead' },
])('measures a request from the time that Slack says, if $when', async (times) => {
  const { aheadMs, from, to } = times
  const app = await startMeasured({}, { now: () => Date.now() + aheadMs })
  await app.slack.ana.types('/shorten help', { in: 'general' })
  const names = ['acknowledgement', 'answer'].map((of) => `backhalf_slack_${of}_duration_seconds`)
  const scraped = await vi.waitUntil(
    async () => {
      const found = await scrapeOf(app)
      return names.every((name) => total(found, name, { kind: 'command' }) === 1) && found
    },
    { timeout: 20_000 },
  )
  for (const name of names) {
    const ofCommands = scraped.get(name)?.samples.filter(({ labels }) => labels.kind === 'command')
    const sum = ofCommands?.find((sample) => sample.name.endsWith('_sum'))?.value
    expect(sum, name).toBeGreaterThanOrEqual(from)
    expect(sum, name).toBeLessThan(to)
  }
})

test('counts errors of Slack by their code', async () => {
  const app = await startMeasured()
  app.slack.failNext('views.open', { error: 'expired_trigger_id' })
  await app.slack.ana.asks('/shorten')
  const errors = async (code: string): Promise<number> =>
    total(await scrapeOf(app), 'backhalf_slack_api_errors_total', { code })
  await expect.poll(() => errors('expired_trigger_id')).toBe(1)
  expect(await errors('other')).toBe(0)
})

test('counts retries and failures of another link service', async () => {
  const app = await startAppElsewhere({ config: { metrics } })
  onTestFinished(() => app.stop())
  const { ana } = app.slack
  const outcomes = async (call: string) => {
    const { samples = [] } = (await scrapeOf(app)).get('backhalf_link_service_calls_total') ?? {}
    const counted = samples.filter(({ labels, value }) => labels.call === call && value > 0)
    return Object.fromEntries(
      counted.map(({ labels: { outcome = '' }, value }) => [outcome, value]),
    )
  }
  let failures = 2
  app.service.answers(() => (failures-- > 0 ? failure(503, 'UNAVAILABLE') : created()))
  await ana.asks('/shorten https://example.com/one qr=off')
  app.service.answers(() => failure(401, 'UNAUTHORIZED'))
  await ana.asks('/shorten https://example.com/two qr=off')
  app.service.answers(() => ({ status: 200, body: '<p>Sign in</p>' }))
  await ana.asks('/shorten list')
  expect(await outcomes('create')).toEqual({ ok: 1, rejected: 1 })
  expect(await outcomes('list')).toEqual({ invalid_response: 1 })
  const scraped = await scrapeOf(app)
  expect(total(scraped, 'backhalf_link_service_retries_total', { call: 'create' })).toBe(2)
  expect(total(scraped, 'backhalf_link_service_call_duration_seconds', { call: 'create' })).toBe(2)
  expect([...scraped.keys()].filter((name) => /redirect|click/.test(name))).toEqual([])
})

test('can be scraped while the app stops, until everything else has', async () => {
  const app = await startAppElsewhere({ answers: () => 'hang', config: { metrics } })
  onTestFinished(() => app.stop())
  const url = app.running.metricsUrl ?? ''
  await app.slack.ana.types('/shorten https://example.com/slow qr=off', { in: 'general' })
  await expect.poll(app.service.hanging).toBeGreaterThan(0)
  expect(total(await scrape(url), 'backhalf_ready', { server: 'app' })).toBe(1)
  const stopped = app.running.stop()
  expect(total(await scrape(url), 'backhalf_ready', { server: 'app' })).toBe(0)
  await app.service.close()
  await stopped
  await expect(fetch(url)).rejects.toThrow()
})

test('measures the link service alone, and starts none if the port of its metrics is taken', async () => {
  const directory = await makeTempDir()
  const config = await testConfig(directory.path)
  const logger = pino({ level: 'silent' })
  const service = await startService({ ...config, metrics }, logger)
  onTestFinished(async () => {
    await service.stop()
    await directory.remove()
  })
  await open(`${service.url}/unknown`)
  const scraped = await scrape(service.metricsUrl ?? '')
  expect(total(scraped, 'backhalf_redirects_total')).toBe(1)
  // On a busy machine, the first check of the database can take longer than is allowed.
  const isReady = async () =>
    total(await scrape(service.metricsUrl ?? ''), 'backhalf_ready', { server: 'service' })
  await expect.poll(isReady).toBe(1)
  expect([...scraped.keys()].filter((name) => /slack|link_service/.test(name))).toEqual([])
  const port = Number(new URL(service.metricsUrl ?? '').port)
  const databaseUrl = `file:${join(directory.path, 'other.db')}`
  const second = { ...config, databaseUrl, servicePort: 0, metrics: { ...metrics, port } }
  await expect(startService(second, logger)).rejects.toThrow('METRICS_PORT')
})
