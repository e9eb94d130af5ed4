import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

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

export const MISSING = 'no Chromium found; to have the browser tests run: apt-get install chromium'

export const executablePath = BROWSERS.find((path) => existsSync(path))

/** Starts a headless Chromium. Whoever started it closes it. */
export async function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(MISSING)
  return chromium.launch({ executablePath, args: ARGUMENTS })
}
