import { existsSync } from 'node:fs'
import { chromium, type Browser, type LaunchOptions } from 'playwright-core'

/** The usual paths of Chromium. Chrome works too. */
const BROWSERS = [
  '/usr/bin/chromium-headless-shell',
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

export const MISSING =
  'Chromium was not found. Install it with: apt-get install chromium-headless-shell'

export const executablePath = BROWSERS.find((path) => existsSync(path))

function launchOptions(): LaunchOptions {
  if (executablePath === undefined) throw new Error(MISSING)
  return { executablePath, args: ARGUMENTS }
}

/** Starts a headless Chromium. The caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions())
}

/**
 * Starts a headless Chromium that other processes connect to by its URL. It is killed if this
 * process exits without stopping it.
 */
export async function startBrowserServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await chromium.launchServer({
    ...launchOptions(),
    host: '127.0.0.1',
    // Vitest handles signals.
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
  })
  return { url: server.wsEndpoint(), stop: () => server.close() }
}
