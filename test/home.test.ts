import { expect } from 'vitest'
import { withPlayground } from './support/browser.ts'
import { modal } from './support/playground.ts'

const browserTest = withPlayground()

browserTest(
  'creates the first link in two clicks from the Home tab, and shows its QR code there',
  async ({ page, program }) => {
    await page.goto(`${program.url}#app/home`)
    await page.getByText('Make your first short link').waitFor()
    await page.getByRole('button', { name: 'Shorten a link' }).click()
    await modal(page).getByLabel('Destination').fill('https://example.com/shop/summer')
    await modal(page).getByLabel('Title').fill('Summer sale')
    await modal(page).getByRole('button', { name: 'Create' }).click()

    await page.getByText('Summer sale').waitFor()
    await page.getByText('Page 1 of 1').waitFor()
    const menu = page.getByRole('button', { name: 'More' })
    await menu.click()
    const item = page.getByRole('menuitem', { name: 'Share, QR code, copy' })
    const [below, above] = [await item.boundingBox(), await menu.boundingBox()]
    expect(below?.y).toBeGreaterThan(above?.y ?? Infinity)
    await item.click()
    await modal(page).getByRole('button', { name: 'Show QR code' }).click()
    await modal(page)
      .getByRole('img', { name: /^QR code for http:\/\/localhost/ })
      .waitFor()
  },
)
