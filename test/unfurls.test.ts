import { afterAll, beforeAll, expect } from 'vitest'
import { browserTest } from './support/browser.ts'
import { startPlayground, write } from './support/playground.ts'

let program: Awaited<ReturnType<typeof startPlayground>>

beforeAll(async () => {
  program = await startPlayground()
})
afterAll(() => program.stop())

browserTest('shows the destination of a posted short link', async ({ page }) => {
  await page.goto(program.url)
  await write(page, '/shorten https://example.com/shop/summer summer title="Summer sale" qr=off')
  await page.getByText('Summer sale').waitFor()
  await write(page, `Look: ${program.serviceUrl.replace('127.0.0.1', 'localhost')}/summer`)

  const card = page.locator('.attachment', { hasText: 'Leads to' })
  await card.getByText('example.com/shop/summer').waitFor()
  await card.getByText('Shortened by @Ana').waitFor()
  expect(await card.getByRole('link', { name: 'Summer sale' }).getAttribute('href')).toMatch(
    /^http:\/\/localhost:\d+\/summer$/,
  )
})
