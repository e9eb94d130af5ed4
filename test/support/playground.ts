import { pino } from 'pino'
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
