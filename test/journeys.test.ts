import { expect } from 'vitest'
import { withPlayground } from './support/browser.ts'
import { answers, clickShortUrl, closesModals, modal, scan, write } from './support/playground.ts'

/* What people do on the page of the playground, with the whole program. Features have more tests in test/slack. */

const browserTest = withPlayground()

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

browserTest('Slack would have rejected nothing in these tests', async ({ page, program }) => {
  await page.goto(program.url)
  await page.getByRole('log').waitFor()
  expect(await page.getByRole('region', { name: 'Slack errors' }).count()).toBe(0)
})
