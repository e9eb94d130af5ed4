import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'
import { test } from 'vitest'

/** Where systems put Chromium, or Chrome, which does as well. */
const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
]

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const MISSING = 'no Chromium found; to have the browser tests run: apt-get install chromium'

const executablePath = BROWSERS.find((path) => existsSync(path))

/** In CI a missing browser is a failure: there the browser tests must not vanish unseen. */
const skipped = executablePath === undefined && process.env.CI !== 'true'

if (skipped) console.warn(`Browser tests are skipped: ${MISSING}`)

/** Starts a headless Chromium. Whoever started it closes it. */
export async function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(MISSING)
  return chromium.launch({ executablePath, args: ARGUMENTS })
}

/**
 * A test that is given a `page` of a fresh browser profile, in a browser that its file shares.
 * Skipped where there is no Chromium, except in CI.
 */
export const browserTest = test
  // The empty pattern is needed: vitest reads from it which fixtures this one builds on.
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const browser = await launchBrowser()
    onCleanup(() => browser.close())
    return browser
  })
  .extend('page', async ({ browser }, { onCleanup }) => {
    const context = await browser.newContext()
    onCleanup(() => context.close())
    return context.newPage()
  })
  .skipIf(skipped)
