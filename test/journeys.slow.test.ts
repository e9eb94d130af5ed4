import { expect } from 'vitest'
import { qrPng } from '../src/qr/qr-code.ts'
import { tabTo } from './support/accessibility.ts'
import { withPlayground } from './support/browser.ts'
import { answers, clickShortUrl, modal, scan, write } from './support/playground.ts'

/* More of what people do on the page of the playground. */

const browserTest = withPlayground()

browserTest(
  'shortens a link with every field and an image, and shows its card below the message that posts it',
  async ({ page, program, origin }) => {
    await page.goto(program.url)
    await write(page, '/shorten')
    const form = modal(page)
    await form.getByLabel('Destination').fill(`${origin}/spring`)
    await form.getByLabel('Back-half').fill('spring-sale')
    await form.getByLabel('Title').fill('Spring sale')
    await form.getByLabel('QR color').fill('#1f4f46')
    await form.getByRole('button', { name: 'Add UTM parameters' }).click()
    await form.getByLabel('UTM source').fill('newsletter')
    await form.getByRole('button', { name: 'Add a custom preview' }).click()
    await form.getByLabel('Preview title').fill('Spring is here')
    const image = await qrPng('an image to upload')
    await form
      .locator('input[type=file]')
      .setInputFiles({ name: 'card.png', mimeType: 'image/png', buffer: image })
    await form.getByText('card.png').waitFor()
    expect(await form.getByLabel('Destination').inputValue()).toBe(`${origin}/spring`)
    await form.getByRole('button', { name: 'Create' }).click()
    await form.waitFor({ state: 'detached' })

    const answer = answers(page).filter({ hasText: 'Spring sale' })
    const shortUrl = await answer.getByRole('link', { name: /\/spring-sale$/ }).innerText()
    expect(await scan(page)).toBe(shortUrl)
    expect(await clickShortUrl(page, answer)).toBe(`${origin}/spring?utm_source=newsletter`)

    await write(page, `Look: ${shortUrl}`)
    const card = page.locator('.attachment', { hasText: 'Leads to' })
    await card.getByText('/spring').waitFor()
    await card.getByText('Shortened by @Ana').waitFor()
    expect(await card.getByRole('link', { name: 'Spring is here' }).getAttribute('href')).toBe(
      shortUrl,
    )
    const picture = card.getByRole('img', { name: 'Preview image of Spring is here' })
    await expect
      .poll(() => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0)
  },
)

browserTest(
  'shows an error at its field and keeps the other values, and makes and copies a link, with the keyboard only',
  async ({ page, program }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(program.url)
    await page
      .getByLabel(/^Message #/)
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.type('/shorten ')
    await page.keyboard.press('Enter')
    const form = modal(page)
    const destination = form.getByLabel('Destination')
    await destination.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('https://example.com/keys')
    await tabTo(page, /^Back-half/)
    await page.keyboard.type('keys-only')
    await tabTo(page, /^QR color/)
    await page.keyboard.type('#ffffcc')
    await page.keyboard.press('Enter')
    await form.getByText(/too pale/).waitFor()
    expect(await destination.inputValue()).toBe('https://example.com/keys')
    await form.getByLabel('QR color').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('#1f4f46')
    await tabTo(page, 'Create')
    await page.keyboard.press('Enter')
    await form.waitFor({ state: 'detached' })

    const shortUrl = await answers(page)
      .getByRole('link', { name: /\/keys-only$/ })
      .innerText()
    await tabTo(page, /^Copy.*keys-only/)
    await page.keyboard.press('Enter')
    await form.getByText(shortUrl).last().waitFor()
    await tabTo(page, 'Code')
    await page.keyboard.press('Control+C')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(shortUrl)
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
  },
)

browserTest('Slack would have rejected nothing in these tests', async ({ page, program }) => {
  await page.goto(program.url)
  await page.getByRole('log').waitFor()
  expect(await page.getByRole('region', { name: 'Slack errors' }).count()).toBe(0)
})
