import { once } from 'node:events'
import { get } from 'node:http'
import { Readable } from 'node:stream'
import { expect, onTestFinished, vi } from 'vitest'
import {
  cookieOf,
  formTo,
  signedIn,
  signedInMember,
  type DashboardBrowser,
} from '../../support/dashboard.ts'
import { withDashboard } from '../../support/fixtures.ts'
import { keyWith } from '../../support/service-calls.ts'
import { postgresSkipped } from '../../support/postgres.ts'
import { startPostgresServer } from '../../support/postgres-server.ts'
import { addLinks, linkRow } from '../../support/rows.ts'
import { startService } from '../../support/service.ts'

const fileOf = (rows: number) =>
  ['destination_url', ...Array.from({ length: rows }, (_, at) => `https://rows.test/${at}`)].join(
    '\n',
  )

const summaryOf = (text: string) => /role="status">([^<]+)/.exec(text)?.[1]

/** Submits a file, and yields the page as it comes. */
async function* importing(
  { baseUrl }: { baseUrl: string },
  browser: DashboardBrowser,
  owner: string,
  rows: number,
): AsyncGenerator<string, void> {
  const file = new File([fileOf(rows)], 'links.csv')
  const columns = await browser.submit('/dashboard/import', { file })
  const body = formTo('/dashboard/import/columns', columns)
  body.set('owner', owner)
  const headers = { cookie: cookieOf(browser) }
  const token = encodeURIComponent(body.get('_csrf') as string)
  const response = await fetch(`${baseUrl}/dashboard/import/columns?_csrf=${token}`, {
    method: 'POST',
    headers,
    body,
  })
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    yield decoder.decode(chunk, { stream: true })
  }
}

/** Calls `action` once the page shows the first progress. @returns the page as far as it was received */
async function interrupt(page: AsyncGenerator<string, void>, action: () => Promise<unknown>) {
  let text = ''
  let isDone = false
  try {
    for await (const part of page) {
      text += part
      if (isDone || !text.includes('class="progress"')) continue
      isDone = true
      await action()
    }
  } catch {
    // The connection was cut.
  }
  expect(isDone).toBe(true)
  return text
}

const { test, service, browser } = withDashboard()

test('stops the export when the client disconnects', async () => {
  const { longReads } = service.database
  const owner_id = service.ownerId
  // More than the buffers of a connection hold, in a column that no index has.
  const preview_description = 'x'.repeat(4_000)
  const ids = Array.from({ length: 5_000 }, (_, at) => String(at).padStart(4, '0'))
  const links = ids.map((id) => linkRow(id, { owner_id, preview_description }))
  await addLinks(service.database, ...links)
  const streams = vi.spyOn(Readable, 'from')
  const parts = vi.spyOn(longReads, 'getExecutor')
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

test('an import stops once the API key of the member has ended', async () => {
  const { apiKey } = await keyWith(service, {
    name: 'revoked',
    permissions: 'all',
    scopes: ['dashboard:sign_in'],
  })
  const editor = await signedInMember({ baseUrl: service.baseUrl, apiKey }, { role: 'editor' })
  const revoke = () =>
    service.database.db
      .updateTable('api_keys')
      .set({ revoked_at: 1 })
      .where('name', '=', 'revoked')
      .execute()
  const page = await interrupt(importing(service, editor, '', 10_000), revoke)
  expect(page.replaceAll(/\s+/g, ' ')).toMatch(
    /The import stopped after [\d,]+ of 10,000 rows, because you can no longer import links here\./,
  )
})

test.skipIf(postgresSkipped)(
  'says that an import stopped if the database becomes unavailable, and importing again completes it',
  async () => {
    const server = await startPostgresServer({ synchronous_commit: 'on' })
    onTestFinished(() => server.stop())
    const service = await startService({ databaseUrl: `${server.url}/postgres` })
    onTestFinished(() => service.close())
    const browser = await signedIn(service)
    const owner = service.ownerId
    const page = await interrupt(importing(service, browser, owner, 2_000), () => server.crash())
    expect(page.replaceAll(/\s+/g, ' ')).toMatch(
      /The import stopped after [\d,]+ of 2,000 rows, because the database was not available\. Import the same file again/,
    )
    await server.start()
    const ready = async () => (await fetch(`${service.baseUrl}/readyz`)).status
    await expect.poll(ready).toBe(200)
    let text = ''
    for await (const part of importing(service, browser, owner, 2_000)) text += part
    expect(summaryOf(text)).toMatch(/already existed, 0 rows with errors\.$/)
    const links = await service.database.db.selectFrom('links').select('destination_url').execute()
    expect(links).toHaveLength(2_000)
    expect(new Set(links.map(({ destination_url: url }) => url)).size).toBe(2_000)
  },
)
