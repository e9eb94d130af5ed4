import { expect } from 'vitest'
import { PNG } from './support/images.ts'
import { withPlayground } from './support/browser.ts'
import { modal, write } from './support/playground.ts'

const browserTest = withPlayground()

browserTest('shows the destination of a posted short link', async ({ page, program }) => {
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

browserTest('shows the preview picture of a posted short link', async ({ page, program }) => {
  await page.goto(program.url)
  await write(page, '/shorten')
  const form = modal(page)
  await form.getByRole('button', { name: 'Add a custom preview' }).click()
  await form.getByLabel('Destination').fill('https://example.com/shop/spring')
  await form.getByLabel('Back-half').fill('spring')
  await form.getByLabel('Preview title').fill('Spring is here')
  await form
    .locator('input[type=file]')
    .setInputFiles({ name: 'card.png', mimeType: 'image/png', buffer: PNG })
  await form.getByText('card.png').waitFor()
  await form.getByRole('button', { name: 'Create' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByText('example.com/shop/spring').first().waitFor()
  await write(page, `Look: ${program.serviceUrl.replace('127.0.0.1', 'localhost')}/spring`)

  const card = page.locator('.attachment', { hasText: 'Spring is here' })
  const picture = card.getByRole('img', { name: 'Preview image of Spring is here' })
  await picture.waitFor()
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
})
