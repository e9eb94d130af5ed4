import { request } from 'undici'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { browserTest } from '../support/browser.ts'
import { startPlayground, write } from '../support/playground.ts'

let program: Awaited<ReturnType<typeof startPlayground>>

beforeAll(async () => {
  program = await startPlayground()
})
afterAll(() => program.stop())

/** Opens the dashboard as a browser would. `fetch` can't send these headers. */
async function open(headers: Record<string, string>, appUrl = program.appUrl) {
  const response = await request(`${appUrl}/playground/dashboard`, { headers })
  await response.body.dump()
  return { status: response.statusCode, location: response.headers.location }
}

browserTest('opens the dashboard, signed in, with one click', async ({ page }) => {
  await page.goto(program.url)
  await write(page, '/shorten https://example.com/spring spring qr=off')
  await page.getByText('example.com/spring').first().waitFor()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Dashboard' }).click()
  const dashboard = await opened
  await dashboard.getByRole('heading', { name: 'Links' }).waitFor()
  await dashboard.getByText('example.com/spring').first().waitFor()
  expect(new URL(dashboard.url()).pathname).toBe('/dashboard')
})

test('creates a new link each time, to this machine', async () => {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const [one, other] = [await open(headers), await open(headers)]
  expect(one.status).toBe(303)
  expect(one.location).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\/sign-in\/[\w-]{43}#now$/)
  expect(other.location).not.toBe(one.location)
})

test.each([
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.example' },
  { host: 'evil.example' },
])('refuses a request from another web page: %j', async (headers) => {
  expect(await open(headers)).toEqual({ status: 403, location: undefined })
})

test('has no link to the dashboard if another link service is used', async () => {
  const elsewhere = await startPlayground({
    linkService: { kind: 'external', service: 'backhalf', baseUrl: program.serviceUrl },
  })
  onTestFinished(() => elsewhere.stop())
  expect(await (await fetch(elsewhere.url)).text()).not.toContain('data-dashboard')
  expect((await open({}, elsewhere.appUrl)).status).toBe(404)
})
