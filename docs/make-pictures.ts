/**
 * Makes the pictures in README.md and on the app's page from the running program: `npm run pictures`. It needs Chromium and a
 * font with emoji, such as the Debian package fonts-noto-color-emoji.
 */
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { openDatabase } from '../src/database/database.ts'
import { addClicks } from '../src/service/store/clicks.ts'
import { signInCommand } from '../test/support/dashboard.ts'
import { launchBrowser } from '../test/support/launch-browser.ts'
import { modal, startPlayground, write } from '../test/support/playground.ts'
import { makeTempDir } from '../test/support/temp-dir.ts'

const PICTURES = join(import.meta.dirname, 'pictures')
/** The width of the pictures on the app's page, and where the app reads them. */
const PAGE_WIDTH = 512
const SMALL_PICTURES = join(import.meta.dirname, '../src/slack/pages')
const COMMAND =
  '/shorten https://example.com/shop/spring/offers spring title="Spring sale" tags=shop,print utm_campaign=seasons utm_source=newsletter'
const DAY_MS = 86_400_000
/** A short hostname for the short URLs in the pictures, like the ones that people use. */
const SERVICE_HOST = 'go.example.com'

const directory = await makeTempDir()
const databaseUrl = `file:${join(directory.path, 'backhalf.db')}`
const program = await startPlayground({
  databaseUrl,
  servicePublicUrl: `https://${SERVICE_HOST}`,
})
const browser = await launchBrowser()
const page = await browser.newPage({
  viewport: { width: 1180, height: 800 },
  deviceScaleFactor: 2,
  colorScheme: 'light',
})
// This machine can't reach the short URLs, so the service answers for them.
await page.route(`https://${SERVICE_HOST}/**`, async (route) => {
  const { pathname, search } = new URL(route.request().url())
  const headers = { host: SERVICE_HOST }
  const response = await route.fetch({ url: program.serviceUrl + pathname + search, headers })
  await route.fulfill({ response })
})
await page.goto(program.url)

await write(page, COMMAND)
await page.getByRole('img', { name: /^QR code/ }).waitFor()
await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))')
await save(page, 'playground')
await saveSmall('short-link', page.getByRole('article').last())

await write(page, '/shorten')
const form = modal(page)
await form.getByLabel('Destination').fill('https://example.com/shop/summer')
await form.getByLabel('UTM source').fill('newsletter')
await save(page, 'form')
await page.keyboard.press('Escape')
await form.waitFor({ state: 'detached' })

await write(page, 'Before Monday: https://example.com/press and https://example.com/shop/fall')
const message = page.getByRole('article').filter({ hasText: 'Before Monday' })
await message.hover()
await message.getByRole('button', { name: 'Message shortcuts' }).click()
await page.getByRole('menuitem', { name: /^Shorten this link/ }).click()
await modal(page).getByText('Which links').waitFor()
await save(page, 'several')
await page.keyboard.press('Escape')
await modal(page).waitFor({ state: 'detached' })

await page.emulateMedia({ colorScheme: 'dark' })
for (const [season, source] of [
  ['summer', 'social'],
  ['fall', 'newsletter'],
  ['winter', 'podcast'],
] as const) {
  const title = `${season[0]?.toUpperCase() ?? ''}${season.slice(1)} sale`
  const qr = season === 'fall' ? 'on' : 'off'
  const options = `title="${title}" qr=${qr} tags=shop utm_campaign=seasons utm_source=${source}`
  await write(page, `/shorten https://example.com/shop/${season} ${season} ${options}`)
  await page.getByText(title).waitFor()
}
const READER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
for (const [backHalf, clicks] of Object.entries({ spring: 12, summer: 5, winter: 1 })) {
  for (let click = 0; click < clicks; click++) {
    const response = await page.request.get(`${program.serviceUrl}/${backHalf}`, {
      maxRedirects: 0,
      headers: { host: SERVICE_HOST, 'user-agent': READER },
    })
    if (response.status() !== 302) throw new Error(`the short URL responded ${response.status()}`)
  }
}
await page.waitForTimeout(1500) // Clicks are counted within a second.
await addEarlierClicks('spring', 1)
await addEarlierClicks('summer', 0.6)
await addEarlierClicks('winter', 0.25)
await write(page, '/shorten list')
await page.getByText('Page 1 of 1').waitFor()
const list = page.getByRole('article').filter({ hasText: 'Page 1 of 1' }).last()
const springMenu = list.getByRole('button', { name: 'More' }).last()
await springMenu.click()
await page.getByRole('menuitem', { name: 'Turn off' }).waitFor()
await save(page, 'list-dark')

await page.emulateMedia({ colorScheme: 'light' })
await page.getByRole('menuitem', { name: 'Edit' }).click()
await modal(page).getByLabel('Title', { exact: true }).fill('Spring sale: all offers')
await modal(page).getByRole('button', { name: 'Save' }).click()
await modal(page).waitFor({ state: 'detached' })
await list.getByText('Spring sale: all offers').waitFor()

await springMenu.click()
await page.getByRole('menuitem', { name: 'Clicks' }).click()
await modal(page)
  .getByRole('img', { name: /^Chart/ })
  .waitFor()
await save(page, 'clicks')
await page.keyboard.press('Escape')
await modal(page).waitFor({ state: 'detached' })

await page.setViewportSize({ width: 1180, height: 900 })
await write(page, '/shorten report seasons last 30 days')
const report = page.getByRole('article').filter({ hasText: 'Clicks on campaign' }).last()
await report.getByRole('img').waitFor()
await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))')
await save(page, 'report')
await saveSmall('report', report)

await write(page, '/shorten alerts')
await modal(page).getByRole('button', { name: 'New alert' }).click()
await modal(page).getByLabel('Which links').selectOption({ label: 'The links of a campaign' })
await modal(page).getByLabel('Name').fill('seasons')
await modal(page)
  .getByLabel('When')
  .selectOption({ label: 'It gets more than a number of clicks in a day' })
await modal(page).getByLabel('Number').fill('10')
await modal(page).getByLabel('Post in').selectOption({ label: '#general' })
await save(page, 'alert-form')
await modal(page).getByRole('button', { name: 'Save' }).click()
await modal(page).getByText('Backhalf checks every few minutes').waitFor()
await page.keyboard.press('Escape')
await modal(page).getByText('set up by').waitFor()
await page.keyboard.press('Escape')
await modal(page).waitFor({ state: 'detached' })
// The app looks once a minute for what is due.
const alert = page.getByRole('article').filter({ hasText: 'Stop this alert' })
await alert.getByRole('img').waitFor({ timeout: 70_000 })
await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))')
await save(page, 'alert')

const CAMPAIGN = [
  'Long URL,Back-half,Title,Tags,UTM campaign,Owner',
  'https://example.com/shop/fall/shoes,fall-shoes,Fall: shoes,"shop,print",fall,Ana',
  'https://example.com/shop/fall/coats,fall-coats,Fall: coats,"shop,print",fall,Ana',
  'https://example.com/shop/fall/hats,fall-hats,Fall: hats,shop,fall,Ben',
  'example,,Fall: gloves,shop,fall,Ben',
  'https://example.com/shop/fall/hats,,Fall: hats again,shop,fall,Ben',
].join('\n')
await write(page, '/shorten import')
await modal(page)
  .getByLabel('CSV file')
  .setInputFiles({ name: 'fall.csv', mimeType: 'text/csv', buffer: Buffer.from(CAMPAIGN) })
await modal(page).getByText('Uploaded fall.csv').waitFor()
await modal(page).getByRole('button', { name: 'Preview' }).click()
await modal(page).getByText('3 links can be created').waitFor()
await save(page, 'import')
await page.keyboard.press('Escape')
await modal(page).waitFor({ state: 'detached' })

await write(page, '/shorten settings')
await modal(page).getByRole('button', { name: 'Change Destinations' }).click()
await modal(page).getByLabel('Allowed destinations').fill('example.com')
await modal(page).getByLabel('Ask approvers in a channel').check()
await modal(page).getByLabel('Approvers’ channel').selectOption({ label: '#general' })
await save(page, 'destinations')
await modal(page).getByRole('button', { name: 'Save' }).click()
await modal(page).getByText('Approvers in').waitFor()
await page.keyboard.press('Escape')
await modal(page).waitFor({ state: 'detached' })
await write(page, '/shorten https://example.org/press/interview interview title="Interview"')
await page.getByRole('button', { name: 'Approve' }).waitFor()
await page.getByText('have been asked').waitFor()
await save(page, 'approval')

const service = { databaseUrl, baseUrl: program.serviceUrl }
await page.goto(await signInCommand(service, 'link', Date.now))
await page.getByRole('button', { name: 'Sign in' }).click()
await page.getByText('Winter sale').waitFor()
await save(page, 'dashboard')

await page.getByLabel('Select all on this page').check()
await page.getByRole('button', { name: 'Change tags…' }).click()
await page.getByLabel('Add tags').fill('seasons')
await save(page, 'many-links')
await page.getByRole('link', { name: 'Cancel' }).click()

await page.getByRole('link', { name: `${SERVICE_HOST}/spring`, exact: true }).click()
await page.getByRole('heading', { name: 'History' }).waitFor()
await page.screenshot({ path: join(PICTURES, 'link-page.png'), fullPage: true })

const from = new Date(Date.now() - 29 * DAY_MS).toISOString().slice(0, 10)
const reports = `/dashboard/reports?utm_campaign=seasons&from=${from}`
await page.goto(program.serviceUrl + reports)
await page.getByRole('heading', { name: 'Links with the most clicks' }).waitFor()
await page.screenshot({ path: join(PICTURES, 'reports-page.png'), fullPage: true })

await browser.close()
await program.stop()
await directory.remove()

async function save(of: Page, name: string): Promise<void> {
  await of.evaluate('document.fonts.ready')
  await of.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' })
}

/** Saves a message in few colors, so that the page loads fast. */
async function saveSmall(name: string, message: Locator): Promise<void> {
  const screenshot = await message.screenshot({ animations: 'disabled' })
  await sharp(screenshot)
    .resize({ width: 2 * PAGE_WIDTH })
    .png({ palette: true, colors: 64, effort: 10 })
    .toFile(join(SMALL_PICTURES, `${name}.png`))
}

/** Creates a link eight weeks old, with clicks on each day since then. @param share of the clicks of a busy link */
async function addEarlierClicks(backHalf: string, share: number): Promise<void> {
  const DAYS = 56
  const database = await openDatabase(databaseUrl)
  const { id } = await database.db
    .updateTable('links')
    .set({ created_at: Date.now() - DAYS * DAY_MS })
    .where('back_half', '=', backHalf)
    .returning('id')
    .executeTakeFirstOrThrow()
  const counted = Array.from({ length: DAYS }, (_, index) => {
    const ago = index + 1
    const time = new Date(Date.now() - ago * DAY_MS)
    const isWeekend = time.getUTCDay() % 6 === 0
    const people = Math.round(share * (isWeekend ? 6 : 22) * (1.5 + Math.sin(ago / (6 * share))))
    return {
      link_id: id,
      day: time.toISOString().slice(0, 10),
      people,
      bots: ago % 3,
      hosts: new Map([
        ['news.example', Math.floor(people / 3)],
        ['social.example', Math.floor(people / 5)],
      ]),
    }
  })
  await database.write(addClicks(counted))
  await database.close()
}
