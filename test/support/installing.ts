import { join } from 'node:path'
import { pino } from 'pino'
import type { Config } from '../../src/config/config.ts'
import { start } from '../../src/start.ts'
import { testConfig } from './app.ts'
import { reusedThreads } from './reused-threads.ts'
import { makeTempDir } from './temp-dir.ts'
import { createSlackOAuth, type Consent } from './slack-oauth.ts'
import type { Team } from './team-payload.ts'
import {
  projectManifest,
  SIGNING_SECRET,
  startSimulatedWorkspace,
  type TestWorkspace,
} from './workspace.ts'

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

/** The whole app, which several simulated workspaces can install by OAuth. */
export type InstallableApp = Awaited<ReturnType<typeof startInstallableApp>>

export async function startInstallableApp({
  teams,
  config = {},
  manifest = projectManifest(),
  now = Date.now,
  lifetimeSeconds,
}: {
  teams: Team[]
  config?: Partial<Config>
  manifest?: unknown
  now?: () => number
  /** How long tokens live. Without it, they don't rotate. */
  lifetimeSeconds?: number
}) {
  const directory = await makeTempDir()
  const rotation = lifetimeSeconds === undefined ? {} : { lifetimeSeconds }
  const oauth = createSlackOAuth({ ...OAUTH, now, ...rotation })
  const workspaces = await Promise.all(
    teams.map((team) => startSimulatedWorkspace({ team, oauth, now, manifest })),
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
    undefined,
    reusedThreads,
  )
  for (const workspace of workspaces) workspace.connectApp(`${running.appUrl}/slack/events`)
  return {
    running,
    /** In the order of the teams. */
    workspaces,
    databaseUrl,
    browser: () => createBrowser(running.appUrl),
    /** Installs the app: begins, consents at Slack and returns the last page. */
    async installs(
      workspace: TestWorkspace | undefined,
      consent: Partial<Consent> = {},
    ): Promise<Page> {
      if (!workspace) throw new Error('there is no such workspace')
      const browser = createBrowser(running.appUrl)
      const authorizeUrl = await browser.beginsInstalling()
      const answer = { userId: workspace.ana.id, ...consent }
      return browser.opens(workspace.consent(authorizeUrl, answer))
    },
    async stop(): Promise<void> {
      await running.stop()
      await Promise.all(workspaces.map((one) => one.close()))
      await directory.remove()
    },
  }
}

/** A user's browser. It keeps the last cookie that the app set. */
export function createBrowser(appUrl: string) {
  let cookie: string | undefined
  /** Opens a page of the app. Its public address works too. */
  async function opens(url: string): Promise<Page> {
    const { pathname, search } = new URL(url, appUrl)
    const response = await fetch(`${appUrl}${pathname}${search}`, {
      redirect: 'manual',
      headers: cookie === undefined ? {} : { cookie },
    })
    const [set] = response.headers.getSetCookie()
    if (set !== undefined) cookie = set.split(';')[0]
    return { status: response.status, html: await response.text(), headers: response.headers }
  }
  return {
    opens,
    /** Begins an installation. @returns the address to which the app redirects */
    async beginsInstalling(): Promise<string> {
      const { headers } = await opens('/slack/install')
      return headers.get('location') ?? ''
    },
  }
}
