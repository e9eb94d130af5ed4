import jsqr from 'jsqr'
import { pino } from 'pino'
import { PNG } from 'pngjs'
import type { Locator, Page } from 'playwright-core'
import type { Config } from '../../src/config/config.ts'
import { start } from '../../src/start.ts'
import type { Running } from '../../src/start/start-context.ts'
import { testConfig } from './app.ts'
import { reusedThreads } from './reused-threads.ts'
import { makeTempDir } from './temp-dir.ts'

/** Starts the program as `npm start` does without any configuration, on free ports. */
export async function startPlayground(
  config: Partial<Config> = {},
): Promise<Running & { url: string; databaseUrl: string }> {
  const directory = await makeTempDir()
  const all = { ...(await testConfig(directory.path)), ...config }
  const running = await start(all, pino({ level: 'silent' }), undefined, reusedThreads)
  return {
    ...running,
    databaseUrl: all.databaseUrl,
    url: running.playgroundUrl ?? '',
    async stop() {
      await running.stop()
      await directory.remove()
    },
  }
}

/** Types a message or a command in the page's composer, and sends it. */
export async function write(page: Page, text: string): Promise<void> {
  const composer = page.getByLabel(/^Message #/)
  await composer.fill(text)
  await composer.press('Enter')
}

export function modal(page: Page): Locator {
  return page.getByRole('dialog')
}

/** Switches to another person. */
export async function become(page: Page, name: string): Promise<void> {
  const people = page.getByRole('group', { name: 'You are' })
  const viewer = await people.getByRole('radio', { name }).inputValue()
  await people.getByText(name).click()
  await page.locator(`[data-viewer="${viewer}"]`).waitFor()
}

/** The app's messages. */
export const answers = (page: Page): Locator => page.getByRole('article', { name: /^Backhalf/ })
const newest = (page: Page): Locator => answers(page).last()

/** Clicks the message's short URL. @returns the URL that opens */
export async function clickShortUrl(page: Page, message: Locator): Promise<string> {
  const opened = page.context().waitForEvent('page')
  await message.getByRole('link', { name: /^http:\/\/localhost/ }).click()
  const tab = await opened
  await tab.getByText('You are at').waitFor()
  return tab.url()
}

/** The text in the QR code, as a phone would read it. It follows the link in a message of its own. */
export async function scan(page: Page): Promise<string | undefined> {
  const source = await newest(page)
    .getByRole('img', { name: /^QR code/ })
    .getAttribute('src')
  const image = await page.request.get(new URL(source ?? '', page.url()).href)
  const { data, width, height } = PNG.sync.read(await image.body())
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data
}

export async function closesModals(page: Page): Promise<void> {
  const open = page.locator('dialog[open]')
  for (let count = await open.count(); count > 0; count--) {
    await modal(page).getByRole('button', { name: 'Close' }).first().click()
    await open.nth(count - 1).waitFor({ state: 'detached' })
  }
}
