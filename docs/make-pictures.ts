/**
 * Makes the pictures of README.md from the running program: `npm run pictures`. It needs Chromium.
 */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { signInCommand } from '../test/support/dashboard.ts'
import { launchBrowser } from '../test/support/launch-browser.ts'
import { modal, startPlayground, write } from '../test/support/playground.ts'
import { makeTempDir } from '../test/support/temp-dir.ts'

const PICTURES = join(import.meta.dirname, 'pictures')
const COMMAND =
  '/shorten https://example.com/shop/spring/offers?ref=home spring-sale title="Spring sale" color=#1f4f46 utm_source=newsletter utm_medium=email'

const directory = await makeTempDir()
const databaseUrl = `file:${join(directory.path, 'backhalf.db')}`
const program = await startPlayground({ databaseUrl })
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

await write(page, 'Before Monday: https://example.com/press and https://example.com/shop/autumn')
const message = page.getByRole('article').filter({ hasText: 'Before Monday' })
await message.hover()
await message.getByRole('button', { name: 'Message shortcuts' }).click()
await page.getByRole('menuitem', { name: /^Shorten this link/ }).click()
await modal(page).getByText('Which links').waitFor()
await save(page, 'several')
await page.keyboard.press('Escape')
await modal(page).waitFor({ state: 'detached' })

await page.emulateMedia({ colorScheme: 'dark' })
for (const season of ['summer', 'autumn', 'winter']) {
  await write(page, `/shorten https://example.com/shop/${season} title="${season} sale" qr=off`)
  await page.getByText(`${season} sale`).waitFor()
}
const READER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const shortUrl = `${program.serviceUrl}/spring-sale`
for (let click = 0; click < 12; click++)
  await page.request.get(shortUrl, { maxRedirects: 0, headers: { 'user-agent': READER } })
await page.waitForTimeout(1500) // Clicks are counted within a second.
await write(page, '/shorten list')
await page.getByText('Page 1 of 1').waitFor()
await save(page, 'list-dark')

const service = { databaseUrl, baseUrl: program.serviceUrl }
await page.emulateMedia({ colorScheme: 'light' })
await page.goto(await signInCommand(service, 'link', Date.now))
await page.getByRole('button', { name: 'Sign in' }).click()
await page.getByText('winter sale').waitFor()
await save(page, 'dashboard')

await browser.close()
await program.stop()
await directory.remove()

async function save(of: Page, name: string): Promise<void> {
  await of.evaluate('document.fonts.ready')
  await of.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' })
}
