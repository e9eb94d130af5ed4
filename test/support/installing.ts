import { join } from 'node:path'
import { pino } from 'pino'
import type { Config } from '../../src/config/config.ts'
import type { Team } from '../../src/simulator/app/grants.ts'
import { start, type Running } from '../../src/start.ts'
import { testConfig } from './app.ts'
import { makeTempDir } from './temp-dir.ts'
import { createSlackOAuth, type Consent } from './slack-oauth.ts'
import { SIGNING_SECRET, startSimulatedWorkspace, type TestWorkspace } from './workspace.ts'

export const OAUTH = {
  clientId: '1234.5678',
  clientSecret: 'a client secret of the tests',
  stateSecret: 'a state secret of the tests',
}

/** The app's public address in these tests, as in manifest.yml. */
const PUBLIC_URL = 'https://backhalf.example.com'

/** A page that a browser received. */
export interface Page {
  status: number
  html: string
  headers: Headers
}

/** A user's browser. It keeps the last cookie that the app set. */
export interface Browser {
  /** Opens a page of the app. Its public address works too. */
  opens(url: string): Promise<Page>
  /** Opens the install page. @returns the address that “Add to Slack” leads to */
  beginsInstalling(): Promise<string>
}

/** The whole app, which several simulated workspaces can install by OAuth. */
export interface InstallableApp {
  running: Running
  /** In the order of the teams. */
  workspaces: TestWorkspace[]
  databaseUrl: string
  browser(): Browser
  /** Installs the app: opens the install page, consents at Slack and returns the last page. */
  installs(workspace: TestWorkspace | undefined, consent?: Partial<Consent>): Promise<Page>
  stop(): Promise<void>
}

export async function startInstallableApp({
  teams,
  config = {},
  now = Date.now,
  lifetimeSeconds,
}: {
  teams: Team[]
  config?: Partial<Config>
  now?: () => number
  /** How long tokens live. Without it, they don't rotate. */
  lifetimeSeconds?: number
}): Promise<InstallableApp> {
  const directory = await makeTempDir()
  const rotation = lifetimeSeconds === undefined ? {} : { lifetimeSeconds }
  const oauth = createSlackOAuth({ ...OAUTH, now, ...rotation })
  const workspaces = await Promise.all(
    teams.map((team) => startSimulatedWorkspace({ team, oauth, now })),
  )
  const apiUrl = workspaces[0]?.apiUrl ?? ''
  const databaseUrl = `file:${join(directory.path, 'backhalf.db')}`
  const running = await start(
    {
      ...(await testConfig(directory.path)),
      slack: { mode: 'http', signingSecret: SIGNING_SECRET, oauth: OAUTH, apiUrl },
      publicUrl: PUBLIC_URL,
      databaseUrl,
      ...config,
    },
    pino({ level: 'silent' }),
  )
  for (const workspace of workspaces) workspace.connectApp(`${running.appUrl}/slack/events`)
  const newBrowser = (): Browser => createBrowser(running.appUrl)
  return {
    running,
    workspaces,
    databaseUrl,
    browser: newBrowser,
    async installs(workspace, consent = {}) {
      if (!workspace) throw new Error('there is no such workspace')
      const browser = newBrowser()
      const authorizeUrl = await browser.beginsInstalling()
      const answer = { userId: workspace.ana.id, ...consent }
      return browser.opens(workspace.consent(authorizeUrl, answer))
    },
    async stop() {
      await running.stop()
      await Promise.all(workspaces.map((one) => one.close()))
      await directory.remove()
    },
  }
}

export function createBrowser(appUrl: string): Browser {
  let cookie: string | undefined
  async function opens(url: string): Promise<Page> {
    const { pathname, search } = new URL(url, appUrl)
    const response = await fetch(`${appUrl}${pathname}${search}`, {
      headers: cookie === undefined ? {} : { cookie },
    })
    const [set] = response.headers.getSetCookie()
    if (set !== undefined) cookie = set.split(';')[0]
    return { status: response.status, html: await response.text(), headers: response.headers }
  }
  return {
    opens,
    async beginsInstalling() {
      const { html } = await opens('/slack/install')
      const [, href = ''] = /class="button" href="([^"]+)"/.exec(html) ?? []
      return href.replaceAll('&amp;', '&')
    },
  }
}
