import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { withPlayground } from './support/browser.ts'
import { PNG } from './support/images.ts'
import { focusOn } from './support/page.ts'
import { modal, write } from './support/playground.ts'
import { createTestSettings } from './support/settings.ts'

const browserTest = withPlayground()

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
    await page.getByText('Make your first short link').waitFor()
    await page.getByRole('button', { name: 'Shorten a link' }).click()
    await modal(page).getByLabel('Destination').fill('https://example.com/shop/winter')
    await modal(page).getByLabel('Title').fill('Winter sale')
    await modal(page).getByRole('button', { name: 'Create' }).click()

    await page.getByText('Winter sale').waitFor()
    await page.getByText('Page 1 of 1').waitFor()
    const menu = page.getByRole('button', { name: 'More' })
    await menu.click()
    const item = page.getByRole('menuitem', { name: 'Share in a channel' })
    const [below, above] = [await item.boundingBox(), await menu.boundingBox()]
    expect(below?.y).toBeGreaterThan(above?.y ?? Infinity)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^QR code: localhost/ }).click()
    await modal(page)
      .getByRole('img', { name: /^QR code for http:\/\/localhost/ })
      .waitFor()
    await closesModals(page)
  },
)

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

browserTest(
  'shortens the checked links of a message, and posts them in one reply',
  async ({ page, program }) => {
    await page.goto(program.url)
    await write(page, 'https://example.com/a https://example.com/b https://example.com/c')
    const message = page.getByRole('article').filter({ hasText: 'example.com/b' }).first()
    await message.hover()
    await message.getByRole('button', { name: 'Message shortcuts' }).click()
    await page.getByRole('menuitem', { name: /^Shorten this link/ }).click()
    const form = modal(page)
    await form.getByText('Which links in the message').waitFor()
    const ticks = form.getByRole('checkbox', { name: 'Shorten' })
    expect(await ticks.count()).toBe(3)
    await ticks.nth(1).uncheck()
    await form.getByRole('button', { name: 'Create links' }).click()
    await form.waitFor({ state: 'hidden' })
    const reply = page.getByRole('article').filter({ hasText: 'shortened 2 links:' })
    await reply.getByText('example.com/a').waitFor()
    expect(await reply.getByRole('link', { name: /localhost:\d+\// }).count()).toBe(2)
    expect(await reply.getByText('example.com/b').count()).toBe(0)
    await reply.getByRole('button', { name: 'Show QR code' }).first().click()
    await modal(page)
      .getByRole('img', { name: /^QR code/ })
      .waitFor()
    await page.keyboard.press('Escape')
    await modal(page).waitFor({ state: 'hidden' })
  },
)

browserTest(
  'offers the existing link for a duplicate, after a change too',
  async ({ page, program }) => {
    await page.goto(program.url)
    await write(page, '/shorten https://example.com/there')
    await page.getByRole('article').filter({ hasText: 'example.com/there' }).waitFor()
    await write(page, '/shorten')
    const form = modal(page)
    await form.getByLabel('Destination').fill('https://example.com/there')
    await form.getByLabel('Title').fill('My title')
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByText('This destination already has a short link:').waitFor()
    await form.getByRole('button', { name: 'Change something' }).click()
    await form.getByLabel('Title').waitFor()
    expect(await form.getByLabel('Title').inputValue()).toBe('My title')
    expect(await form.getByLabel('Destination').inputValue()).toBe('https://example.com/there')
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByRole('button', { name: 'Use this link' }).click()
    await form.waitFor({ state: 'hidden' })
    await page
      .getByRole('article')
      .filter({ hasText: 'example.com/there' })
      .filter({ hasText: 'Share in channel' })
      .nth(1)
      .waitFor()
  },
)

browserTest(
  'lets an admin set naming rules and write a template with only the keyboard',
  async ({ page, program }) => {
    await page.goto(program.url)
    await write(page, '/shorten settings')
    const form = modal(page)
    await form.getByText('Every link gets one, in black.').waitFor()

    await form.getByRole('button', { name: 'Change Naming rules for UTM values' }).focus()
    await page.keyboard.press('Enter')
    await form.getByLabel('Write everything in lower case').focus()
    await page.keyboard.press('Space')
    await form.getByLabel('A hyphen: spring-sale').focus()
    await page.keyboard.press('Space')
    await form.getByRole('button', { name: 'Save' }).focus()
    await page.keyboard.press('Enter')
    await form.getByText('Everything in lower case').waitFor()

    await form.getByRole('button', { name: 'Change UTM templates' }).focus()
    await page.keyboard.press('Enter')
    await form.getByRole('button', { name: 'Add a template' }).focus()
    await page.keyboard.press('Enter')
    await focusOn(form.getByLabel('Name'))
    await page.keyboard.type('Newsletter')
    await form.getByLabel('UTM source').focus()
    await page.keyboard.type('News Letter')
    await page.keyboard.press('Enter')
    await form.getByText('source: news-letter').waitFor()

    await form.getByRole('button', { name: 'Back', exact: true }).focus()
    await page.keyboard.press('Enter')
    await form.getByText('1: Newsletter').waitFor()
    expect(await form.getByText('None yet.').count()).toBe(0)
    await closesModals(page)
  },
)

browserTest(
  'fills in the form from a template, and applies the naming rules',
  async ({ page, program }) => {
    const settings = createTestSettings(() => program.databaseUrl)
    onTestFinished(() => settings.close())
    await settings.set({
      templates: [
        { name: 'Newsletter', values: { utm_source: 'newsletter', utm_medium: 'email' } },
      ],
      naming: { lowerCase: true, spaces: '-', sources: [], mediums: ['email', 'social'] },
    })
    await page.goto(program.url)
    await write(page, '/shorten')
    const form = modal(page)
    await form.getByLabel('Destination').fill('https://example.com/spring')
    await form.getByLabel('UTM campaign').fill('Spring Sale')

    await form.getByLabel('Fill in from…').selectOption('Newsletter')
    const source = form.getByLabel('UTM source')
    await expect.poll(() => source.inputValue()).toBe('newsletter')
    await form
      .getByText('/spring?utm_source=newsletter&utm_medium=email&utm_campaign=spring-sale')
      .waitFor()
    expect(await form.getByLabel('UTM campaign').inputValue()).toBe('Spring Sale')

    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByText('UTM campaign: Spring Sale → spring-sale.').waitFor()
    expect(await form.getByLabel('UTM campaign').inputValue()).toBe('spring-sale')
    expect(await form.getByLabel('Destination').inputValue()).toBe('https://example.com/spring')

    await form.getByRole('button', { name: 'Create' }).click()
    const answers = page.getByRole('article', { name: /^Backhalf/ })
    await answers.getByText('UTM source newsletter, medium email, campaign spring-sale').waitFor()
    expect(await form.count()).toBe(0)
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
