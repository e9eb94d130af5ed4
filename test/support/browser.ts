import { test } from 'vitest'
import { executablePath, launchBrowser, MISSING } from './launch-browser.ts'

/** How long something on the page is waited for, so that a failure says what was missing. */
const ACTION_TIMEOUT_MS = 8_000

/** Never in CI: there the browser tests must fail, not vanish unseen. */
export const browserIsMissing = executablePath === undefined && process.env.CI !== 'true'

if (browserIsMissing) console.warn(`Browser tests are skipped: ${MISSING}`)

/** `page` is one of a fresh browser profile, in a browser that the tests of a file share. */
export const browserFixtures = test
  // The empty pattern is needed: vitest reads from it which fixtures this one builds on.
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const browser = await launchBrowser()
    onCleanup(() => browser.close())
    return browser
  })
  .extend('page', async ({ browser }, { onCleanup }) => {
    const context = await browser.newContext()
    onCleanup(() => context.close())
    context.setDefaultTimeout(ACTION_TIMEOUT_MS)
    return context.newPage()
  })

/** A test in a browser. Skipped where there is no Chromium, except in CI. */
export const browserTest = browserFixtures.skipIf(browserIsMissing)
