import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get } from 'node:http'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { LinkRow } from '../../../src/service/store/links.ts'
import {
  cookieOf,
  type DashboardBrowser,
  signedIn,
  signedInMember,
  submitAndStream,
} from '../../support/dashboard.ts'
import { postgresSkipped } from '../../support/postgres.ts'
import { startPostgresServer } from '../../support/postgres-server.ts'
import { addLinks, linkRow } from '../../support/rows.ts'
import { startService, type RunningService } from '../../support/service.ts'
import { keyWith } from '../../support/service-calls.ts'

const TURN_OFF = '/dashboard/bulk/turn-off'
const COLUMNS = '/dashboard/import/columns'

const LINKS = 2_000

async function start(databaseUrl?: string, values: Partial<LinkRow> = {}, count = LINKS) {
  const service = await startService(databaseUrl === undefined ? {} : { databaseUrl })
  onTestFinished(() => service.close())
  const links = Array.from({ length: count }, (_, at) =>
    linkRow(randomUUID(), { owner_id: service.ownerId, back_half: `l${at}`, ...values }),
  )
  await addLinks(service.database, ...links)
  return service
}

/** Starts the service on a PostgreSQL server that a test can crash. */
async function startOnPostgres() {
  const server = await startPostgresServer({ synchronous_commit: 'on' })
  onTestFinished(() => server.stop())
  const service = await start(`${server.url}/postgres`)
  const restart = async () => {
    await server.start()
    await expect.poll(async () => (await fetch(`${service.baseUrl}/readyz`)).status).toBe(200)
  }
  return { service, browser: await signedIn(service), crash: () => server.crash(), restart }
}

/** Turns off all links. */
async function* turningOff(service: RunningService, browser: DashboardBrowser) {
  const confirmation = await browser.get(`${TURN_OFF}?all=true`)
  yield* submitAndStream(service, browser, TURN_OFF, confirmation)
}

/** Imports a file with this many links. */
async function* importing(service: RunningService, browser: DashboardBrowser, rows: number) {
  const destinations = Array.from({ length: rows }, (_, at) => `https://rows.test/${at}`)
  const file = new File([['destination_url', ...destinations].join('\n')], 'links.csv')
  const columns = await browser.submit('/dashboard/import', { file })
  yield* submitAndStream(service, browser, COLUMNS, columns, { owner: service.ownerId })
}

/** Calls `action` once a page shows progress. @returns the page as far as it was received */
async function interrupt(page: AsyncGenerator<string, void>, action: () => Promise<unknown>) {
  let text = ''
  let done: Promise<unknown> | undefined
  try {
    for await (const part of page) {
      text += part
      if (text.includes('class="progress"')) done ??= action()
    }
  } catch {
    // The connection was cut.
  }
  expect(done).toBeDefined()
  await done
  return text.replaceAll(/\s+/g, ' ')
}

const countOff = async ({ database }: RunningService) =>
  (await database.db.selectFrom('links').select('id').where('enabled', '=', 0).execute()).length

/** What a page says about the links that were turned off. */
const turnedOff = (page: string) =>
  Number(/role="status">([\d,]+) links? turned off/.exec(page)?.[1]?.replace(',', ''))

/** An editor, and a function that revokes the key with which the editor signed in. */
async function editorOf(service: RunningService) {
  const limits = { name: 'revoked', permissions: 'all', scopes: ['dashboard:sign_in'] } as const
  const editor = await signedInMember(await keyWith(service, limits), { role: 'editor' })
  const keys = service.database.db.updateTable('api_keys').set({ revoked_at: 1 })
  return { editor, revoke: () => keys.where('name', '=', 'revoked').execute() }
}

test('a service that stops finishes the links in hand, and the page says how many were changed', async () => {
  const service = await start()
  const browser = await signedIn(service)
  const page = await interrupt(turningOff(service, browser), () => service.service.close())
  expect(page).toMatch(
    /The work stopped after [\d,]+ of 2,000 links, because the service was stopped/,
  )
  expect(turnedOff(page)).toBeLessThan(LINKS)
  expect(await countOff(service)).toBe(turnedOff(page))
})

test('a bulk change and an import stop once the API key of the member has ended', async () => {
  const service = await start()
  const first = await editorOf(service)
  const page = await interrupt(turningOff(service, first.editor), first.revoke)
  expect(page).toContain('because you signed out or can no longer change them.')
  expect(await countOff(service)).toBe(turnedOff(page))
  const second = await editorOf(service)
  const imported = await interrupt(importing(service, second.editor, 10_000), second.revoke)
  expect(imported).toMatch(
    /The import stopped after [\d,]+ of 10,000 rows, because you can no longer import links here\./,
  )
})

test('a second job of the owner waits for the first, and both pages say what was done', async () => {
  const service = await start()
  const browser = await signedIn(service)
  const confirmation = await browser.get(`${TURN_OFF}?all=true`)
  const pages = await Promise.all(
    [1, 2, 3, 4].map(() => browser.submit(TURN_OFF, {}, confirmation)),
  )
  expect(pages.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429])
  const sums = pages.flatMap(({ text, status }) => (status === 200 ? turnedOff(text) : []))
  expect(sums.sort((a, b) => b - a)).toEqual([LINKS, 0, 0])
  expect(await countOff(service)).toBe(LINKS)
})

test.skipIf(postgresSkipped)(
  'a bulk change stops if the database becomes unavailable, and submitting again completes it',
  async () => {
    const { service, browser, crash, restart } = await startOnPostgres()
    const page = await interrupt(turningOff(service, browser), crash)
    expect(page).toContain('because the database was not available. To change the other links')
    await restart()
    // The answer to a commit might have been lost.
    expect(await countOff(service)).toBeGreaterThanOrEqual(turnedOff(page))
    for await (const _ of turningOff(service, browser));
    expect(await countOff(service)).toBe(LINKS)
    const history = service.database.db.selectFrom('link_history').select('link_id')
    expect(await history.execute()).toHaveLength(LINKS)
  },
)

test.skipIf(postgresSkipped)(
  'an import stops if the database becomes unavailable, and importing again completes it',
  async () => {
    const { service, browser, crash, restart } = await startOnPostgres()
    expect(await interrupt(importing(service, browser, 2_000), crash)).toMatch(
      /The import stopped after [\d,]+ of 2,000 rows, because the database was not available\. Import the same file again/,
    )
    await restart()
    let text = ''
    for await (const part of importing(service, browser, 2_000)) text += part
    expect(text).toMatch(/role="status">[^<]+already existed, 0 rows with errors\.</)
    const links = service.database.db.selectFrom('links').select('destination_url')
    const imported = await links.where('destination_url', 'like', 'https://rows.test/%').execute()
    expect(new Set(imported.map(({ destination_url: url }) => url)).size).toBe(2_000)
    expect(imported).toHaveLength(2_000)
  },
)

test('an export stops when the client disconnects', async () => {
  // More than the buffers of a connection hold, in a column that no index has.
  const service = await start(undefined, { preview_description: 'x'.repeat(4_000) }, 5_000)
  const browser = await signedIn(service)
  const streams = vi.spyOn(Readable, 'from')
  const parts = vi.spyOn(service.database.longReads, 'getExecutor')
  onTestFinished(() => void vi.restoreAllMocks())
  const request = get(`${service.baseUrl}/dashboard/links.csv`, {
    headers: { cookie: cookieOf(browser) },
  })
  const [response] = (await once(request, 'response')) as [Readable]
  await once(response, 'readable')
  const [stream] = streams.mock.results.map(({ value }) => value as Readable)
  expect(stream?.closed).toBe(false)
  request.destroy()
  // It closes once the generator that reads the links has ended.
  await expect.poll(() => stream?.closed).toBe(true)
  const stopped = parts.mock.calls.length
  await browser.get('/dashboard/links.csv')
  // A whole export has 10 parts, and two queries for each. The one that was stopped made fewer.
  expect(parts.mock.calls.length - stopped).toBeGreaterThanOrEqual(20)
  expect(stopped).toBeLessThan(20)
})
