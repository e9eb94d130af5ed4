import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import {
  cookieOf,
  type DashboardBrowser,
  formTo,
  signedIn,
  signedInMember,
} from '../../support/dashboard.ts'
import { postgresSkipped } from '../../support/postgres.ts'
import { startPostgresServer } from '../../support/postgres-server.ts'
import { addLinks, linkRow } from '../../support/rows.ts'
import { startService, type RunningService } from '../../support/service.ts'
import { keyWith } from '../../support/service-calls.ts'

const TURN_OFF = '/dashboard/bulk/turn-off'

const LINKS = 2_000

async function start(databaseUrl?: string) {
  const service = await startService(databaseUrl === undefined ? {} : { databaseUrl })
  onTestFinished(() => service.close())
  const rows = Array.from({ length: LINKS }, (_, at) =>
    linkRow(randomUUID(), { owner_id: service.ownerId, back_half: `l${at}` }),
  )
  for (let at = 0; at < LINKS; at += 500) {
    await addLinks(service.database, ...rows.slice(at, at + 500))
  }
  return service
}

/** Turns off all links, and calls `action` once the page shows progress. @returns the page */
async function interrupt(
  { baseUrl }: RunningService,
  browser: DashboardBrowser,
  action: () => Promise<unknown>,
) {
  const body = formTo(TURN_OFF, await browser.get(`${TURN_OFF}?all=true`))
  const token = encodeURIComponent(body.get('_csrf') as string)
  const headers = { cookie: cookieOf(browser) }
  const response = await fetch(`${baseUrl}${TURN_OFF}?_csrf=${token}`, {
    method: 'POST',
    headers,
    body,
  })
  const decoder = new TextDecoder()
  let [text, done] = ['', undefined as Promise<unknown> | undefined]
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes('class="progress"')) done ??= action()
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

test('a service that stops finishes the links in hand, and the page says how many were changed', async () => {
  const service = await start()
  const browser = await signedIn(service)
  const page = await interrupt(service, browser, () => service.service.close())
  expect(page).toMatch(
    /The work stopped after [\d,]+ of 2,000 links, because the service was stopped/,
  )
  expect(turnedOff(page)).toBeLessThan(LINKS)
  expect(await countOff(service)).toBe(turnedOff(page))
})

test('the work stops if the person signs out or the key ends', async () => {
  const service = await start()
  const { apiKey } = await keyWith(service, {
    name: 'revoked',
    permissions: 'all',
    scopes: ['dashboard:sign_in'],
  })
  const editor = await signedInMember({ baseUrl: service.baseUrl, apiKey }, { role: 'editor' })
  const page = await interrupt(service, editor, () =>
    service.database.db
      .updateTable('api_keys')
      .set({ revoked_at: 1 })
      .where('name', '=', 'revoked')
      .execute(),
  )
  expect(page).toContain('because you signed out or can no longer change them.')
  expect(await countOff(service)).toBe(turnedOff(page))
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
  'the work stops if the database becomes unavailable, and submitting again completes it',
  async () => {
    const server = await startPostgresServer({ synchronous_commit: 'on' })
    onTestFinished(() => server.stop())
    const service = await start(`${server.url}/postgres`)
    const browser = await signedIn(service)
    const confirmation = await browser.get(`${TURN_OFF}?all=true`)
    const page = await interrupt(service, browser, () => server.crash())
    expect(page).toContain('because the database was not available. To change the other links')
    await server.start()
    const ready = async () => (await fetch(`${service.baseUrl}/readyz`)).status
    await expect.poll(ready).toBe(200)
    // The answer to a commit might have been lost.
    expect(await countOff(service)).toBeGreaterThanOrEqual(turnedOff(page))
    await browser.submit(TURN_OFF, {}, confirmation)
    expect(await countOff(service)).toBe(LINKS)
    const history = service.database.db.selectFrom('link_history').select('link_id')
    expect(await history.execute()).toHaveLength(LINKS)
  },
)
