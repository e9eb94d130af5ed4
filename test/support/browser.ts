import { createServer } from 'node:http'
import { chromium, type Browser, type Page } from 'playwright-core'
import { test } from 'vitest'
import { listenOnLoopback } from './free-port.ts'
import { executablePath, MISSING } from './launch-browser.ts'
import { startPlayground } from './playground.ts'
import { sharedServerUrl } from './shared-servers.ts'

/** How long an action or an expected element is waited for, in milliseconds. */
const ACTION_TIMEOUT_MS = 20_000

const VIEWPORT = { width: 1280, height: 720 }

/** In CI the tests fail instead, so that a missing browser is noticed. */
export const browserIsMissing = executablePath === undefined && process.env.CI !== 'true'

if (browserIsMissing) console.warn(`Browser tests are skipped: ${MISSING}`)

/** The page that the next test gets. */
let cleanPage: Page | undefined

/**
 * Fixtures of browser tests: `browser` is a connection to the browser that all test files share.
 * `page` shows `about:blank`, without cookies, storage or listeners of earlier tests.
 */
export const browserFixtures = test
  // The empty pattern is needed: it tells Vitest that this fixture uses no others.
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await chromium.connect(await sharedServerUrl('browser'))
    onCleanup(() => browser.close())
    return browser
  })
  .extend('page', async ({ browser, task }, { onCleanup }) => {
    const page = cleanPage ?? (await newPage(browser))
    cleanPage = undefined
    onCleanup(async () => {
      const passed = task.result?.state !== 'fail'
      if (passed && (await tryToClean(page))) cleanPage = page
      else await page.context().close()
    })
    return page
  })

/** A test in a browser. It is skipped if there is no Chromium, except in CI. */
export const browserTest = browserFixtures.skipIf(browserIsMissing)

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
        return listenOnLoopback(destination)
      })
      .skipIf(browserIsMissing)
  )
}

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  context.setDefaultTimeout(ACTION_TIMEOUT_MS)
  return context.newPage()
}

/**
 * Undoes what a test did to a page, so that the next test can use it: a new page costs about half
 * a second of CPU time.
 *
 * @returns whether that was possible
 */
async function tryToClean(page: Page): Promise<boolean> {
  const context = page.context()
  try {
    for (const event of ['console', 'pageerror', 'dialog', 'request', 'response'])
      page.removeAllListeners(event)
    await page.evaluate('localStorage.clear(); sessionStorage.clear()')
    await Promise.all([
      ...context.pages().map((other) => (other === page ? undefined : other.close())),
      page.unrouteAll(),
      context.clearCookies(),
      context.clearPermissions(),
      page.emulateMedia({ colorScheme: 'light' }),
      page.setViewportSize(VIEWPORT),
      page.mouse.move(0, 0),
    ])
    await page.goto('about:blank')
    return true
  } catch {
    return false
  }
}
