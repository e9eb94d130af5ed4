/**
 * Makes the pictures of README.md from the running program: `npm run pictures`. It needs Chromium.
 */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../test/support/launch-browser.ts'
import { modal, startPlayground, write } from '../test/support/playground.ts'

const PICTURES = join(import.meta.dirname, 'pictures')
const COMMAND =
  '/shorten https://example.com/shop/spring/offers?ref=home spring-sale title="Spring sale" color=#1f4f46 utm_source=newsletter utm_medium=email'

const program = await startPlayground()
const browser = await launchBrowser()
const page = await browser.newPage({
  viewport: { width: 1180, height: 800 },
  deviceScaleFactor: 2,
  colorScheme: 'light',
})
await page.goto(program.url)

await write(page, COMMAND)
await page.getByRole('img', { name: /^QR code/ }).waitFor()
await save(page, 'playground')

await write(page, '/shorten')
const form = modal(page)
await form.getByLabel('Destination').fill('https://example.com/shop/summer')
await form.getByRole('button', { name: 'Add UTM parameters' }).click()
await form.getByLabel('UTM source').fill('newsletter')
await save(page, 'form')
await page.keyboard.press('Escape')
await form.waitFor({ state: 'detached' })

await page.emulateMedia({ colorScheme: 'dark' })
for (const season of ['summer', 'autumn', 'winter']) {
  await write(page, `/shorten https://example.com/shop/${season} title="${season} sale" qr=off`)
  await page.getByText(`${season} sale`).waitFor()
}
await write(page, '/shorten list')
await page.getByText('Page 1 of 1').waitFor()
await save(page, 'list-dark')

await browser.close()
await program.stop()

async function save(of: Page, name: string): Promise<void> {
  await of.evaluate('document.fonts.ready')
  await of.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' })
}
