import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import type { Locator, Page } from 'playwright-core'
import type { Config } from '../../src/config/config.ts'
import { start, type Running } from '../../src/start.ts'
import { testConfig } from './app.ts'
import { browserFixtures, browserIsMissing } from './browser.ts'
import { makeTempDir } from './temp-dir.ts'

/** Starts the program as `npm start` does without any configuration, on free ports. */
export async function startPlayground(
  config: Partial<Config> = {},
): Promise<Running & { url: string; databaseUrl: string }> {
  const directory = await makeTempDir()
  const all = { ...(await testConfig(directory.path)), ...config }
  const running = await start(all, pino({ level: 'silent' }))
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

/** Tests in a browser with the program. It is started for the first test of a file, and stopped after the last. */
export function withPlayground() {
  return (
    browserFixtures
      .extend('program', { scope: 'file' }, async ({}, { onCleanup }) => {
        const program = await startPlayground()
        onCleanup(() => program.stop())
        return program
      })
      // A page as the destination of links, which says which path was requested.
      .extend('origin', { scope: 'file' }, async ({}, { onCleanup }) => {
        const destination = createServer(({ url }, response) => response.end(`You are at ${url}`))
        onCleanup(() => void destination.close())
        await once(destination.listen(0, '127.0.0.1'), 'listening')
        return `http://127.0.0.1:${(destination.address() as AddressInfo).port}`
      })
      .skipIf(browserIsMissing)
  )
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
