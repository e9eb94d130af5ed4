import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { qrPng } from '../src/qr/qr-code.ts'
import { tabTo } from './support/accessibility.ts'
import { withPlayground } from './support/browser.ts'
import { modal, write } from './support/playground.ts'

/* What people do on the page of the playground, with the whole program. Features have more tests in test/slack. */

const browserTest = withPlayground()

/** The app's messages. */
const answers = (page: Page): Locator => page.getByRole('article', { name: /^Backhalf/ })
const newest = (page: Page): Locator => answers(page).last()

/** Clicks the message's short URL. @returns the URL that opens */
async function clickShortUrl(page: Page, message: Locator): Promise<string> {
  const opened = page.context().waitForEvent('page')
  await message.getByRole('link', { name: /^http:\/\/localhost/ }).click()
  const tab = await opened
  await tab.getByText('You are at').waitFor()
  return tab.url()
}

/** The text in the QR code, as a phone would read it. It follows the link in a message of its own. */
async function scan(page: Page): Promise<string | undefined> {
  const source = await newest(page)
    .getByRole('img', { name: /^QR code/ })
    .getAttribute('src')
  const image = await page.request.get(new URL(source ?? '', page.url()).href)
  const { data, width, height } = PNG.sync.read(await image.body())
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data
}

async function closesModals(page: Page): Promise<void> {
  const open = page.locator('dialog[open]')
  for (let count = await open.count(); count > 0; count--) {
    await modal(page).getByRole('button', { name: 'Close' }).first().click()
    await expect.poll(() => open.count()).toBe(count - 1)
  }
}

browserTest(
  // It must be the first test: the workspace has no links yet.
  'creates the first link in two clicks from the Home tab, and shows its QR code there',
  async ({ page, program }) => {
    await page.goto(`${program.url}#app/home`)
    await page.getByText('Create your first short link').waitFor()
    await page.getByRole('button', { name: 'Shorten a link' }).click()
    await modal(page).getByLabel('Destination').fill('https://example.com/shop/winter')
    await modal(page).getByLabel('Title').fill('Winter sale')
    await modal(page).getByRole('button', { name: 'Create' }).click()

    await page.getByText('Winter sale').waitFor()
    await page.getByText('Page 1 of 1').waitFor()
    const menu = page.getByRole('button', { name: 'More' })
    await menu.click()
    const item = page.getByRole('menuitem', { name: /share…$/ })
    const [below, above] = [await item.boundingBox(), await menu.boundingBox()]
    expect(below?.y).toBeGreaterThan(above?.y ?? Infinity)
    await item.click()
    await modal(page)
      .getByRole('img', { name: /^QR code for http:\/\/localhost/ })
      .waitFor()
    await closesModals(page)
  },
)

browserTest(
  'shortens a link with the command, and opens the short URL, without any configuration',
  async ({ page, program, origin }) => {
    await page.goto(program.url)
    await write(page, `/shorten ${origin}/some/long/page?a=1#here`)
    const answer = answers(page).filter({ hasText: 'leads to' })
    const shortUrl = await answer.getByRole('link', { name: /^http:\/\/localhost/ }).innerText()
    expect(await scan(page)).toBe(shortUrl)
    expect(await clickShortUrl(page, answer)).toBe(`${origin}/some/long/page?a=1#here`)
  },
)

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

browserTest(
  'opens the dashboard from Slack, signed in as the person',
  async ({ page, program }) => {
    await page.goto(program.url)
    await write(page, '/shorten dashboard')
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      modal(page).getByRole('link', { name: 'Open the dashboard' }).click(),
    ])
    await opened.getByRole('button', { name: 'Sign in as Ana M.' }).click()
    await opened.getByText('Ana M. (workspace admin)').waitFor()
    expect(new URL(opened.url()).pathname).toBe('/dashboard')
    await opened.close()
    await closesModals(page)
  },
)

browserTest('Slack would have rejected nothing in these tests', async ({ page, program }) => {
  await page.goto(program.url)
  await page.getByRole('log').waitFor()
  expect(await page.getByRole('region', { name: 'Slack errors' }).count()).toBe(0)
})
