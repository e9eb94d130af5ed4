import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Consent } from '../support/slack-oauth.ts'
import { createSlackOAuth } from '../support/slack-oauth.ts'
import { readManifest } from '../../src/simulator/manifest.ts'
import { TEAM } from '../../src/simulator/workspace/seeds.ts'
import { startRecordingApp, type RecordingApp } from '../support/recording-app.ts'
import { webClient } from '../support/web-client.ts'
import {
  projectManifest,
  startSimulatedWorkspace,
  type TestWorkspace,
} from '../support/workspace.ts'

const CLIENT = { clientId: '1.2', clientSecret: 'secret' }
const REDIRECT = 'https://backhalf.example.com/slack/oauth_redirect'
const ORG = {
  id: 'T0GRIDTEAM00',
  domain: 'grid',
  name: 'Grid team',
  enterprise: { id: 'E0GRIDORG000', name: 'Grid org', orgWide: true },
}

let clock: number
let slack: TestWorkspace
let grid: TestWorkspace
let app: RecordingApp

beforeEach(async () => {
  clock = Date.now()
  const now = (): number => clock
  const oauth = createSlackOAuth({ ...CLIENT, now, lifetimeSeconds: 43_200 })
  slack = await startSimulatedWorkspace({ oauth, now })
  grid = await startSimulatedWorkspace({ oauth, now, team: ORG })
  app = await startRecordingApp()
  slack.connectApp(app.eventsUrl)
  grid.connectApp(app.eventsUrl)
})
afterEach(async () => {
  await app.close()
  await slack.close()
  await grid.close()
})

function authorizeUrl(change: Record<string, string> = {}): string {
  const query = { client_id: '1.2', scope: 'commands,files:read', redirect_uri: REDIRECT }
  const all = new URLSearchParams({ ...query, state: 's', ...change })
  return `https://slack.com/oauth/v2/authorize?${all.toString()}`
}

function codeOf(workspace: TestWorkspace, consent: Partial<Consent> = {}): string {
  const back = workspace.consent(authorizeUrl(), { userId: slack.ana.id, ...consent })
  return new URL(back).searchParams.get('code') ?? ''
}

const credentials = { client_id: '1.2', client_secret: 'secret' }
const access = (args: Record<string, string>) =>
  webClient(slack.apiUrl, '').oauth.v2.access({ ...credentials, ...args })
const refusal = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'accepted',
    (error: unknown) => (error as { data?: { error?: unknown } }).data?.error,
  )

test('exchanges a code once, for a token of the workspace', async () => {
  const code = codeOf(slack)
  expect(await access({ code, redirect_uri: REDIRECT })).toMatchObject({
    ok: true,
    access_token: expect.stringMatching(/^xoxe\.xoxb-/) as string,
    refresh_token: expect.stringMatching(/^xoxe-/) as string,
    expires_in: 43_200,
    scope: 'commands,files:read',
    team: { id: TEAM.id, name: TEAM.name },
    enterprise: null,
    is_enterprise_install: false,
  })
  expect(await refusal(access({ code, redirect_uri: REDIRECT }))).toBe('invalid_code')
})

test('rejects a code with a wrong secret, with another redirect_uri, or after its expiry', async () => {
  const wrong = { code: codeOf(slack), redirect_uri: REDIRECT, client_secret: 'guessed' }
  expect(await refusal(access(wrong))).toBe('bad_client_secret')
  const elsewhere = { code: codeOf(slack), redirect_uri: 'https://evil.example.com/' }
  expect(await refusal(access(elsewhere))).toBe('bad_redirect_uri')
  const late = codeOf(slack)
  clock += 601_000
  expect(await refusal(access({ code: late, redirect_uri: REDIRECT }))).toBe('invalid_code')
})

test.each([
  [{ client_id: '9.9' }, 'Invalid client_id'],
  [{ scope: '' }, 'No scopes requested'],
  [{ scope: 'commands,admin' }, 'Invalid permissions'],
  [{ redirect_uri: 'https://evil.example.com/' }, 'did not match'],
])('rejects an authorization request with %j', (change, words) => {
  const consent = { userId: slack.ana.id }
  expect(() => slack.consent(authorizeUrl(change), consent)).toThrow(words)
})

test('lets people decline only optional scopes', () => {
  expect(codeOf(slack, { scopes: ['commands'] })).not.toBe('')
  expect(() => codeOf(slack, { scopes: ['files:read'] })).toThrow('Only optional scopes')
})

test('accepts a refresh token once, and the old token until it expires', async () => {
  const first = await access({ code: codeOf(slack), redirect_uri: REDIRECT })
  const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' }
  clock += 11 * 3_600_000
  const second = await access(refresh)
  expect(await refusal(access(refresh))).toBe('invalid_refresh_token')
  const call = (token: string | undefined) => webClient(slack.apiUrl, token).auth.test()
  expect((await call(first.access_token)).ok).toBe(true)
  clock += 2 * 3_600_000
  expect(await refusal(call(first.access_token))).toBe('token_expired')
  expect((await call(second.access_token)).ok).toBe(true)
})

test('routes a call to the workspace of its token, whichever URL is called', async () => {
  const { access_token: token } = await access({ code: codeOf(grid), redirect_uri: REDIRECT })
  expect(await webClient(slack.apiUrl, token).auth.test()).toMatchObject({
    team_id: ORG.id,
    enterprise_id: ORG.enterprise.id,
    is_enterprise_install: true,
  })
})

test('uninstalling revokes the workspace’s tokens, and then sends the app an event', async () => {
  const one = await access({ code: codeOf(slack), redirect_uri: REDIRECT })
  const two = await access({ code: codeOf(grid), redirect_uri: REDIRECT })
  const uninstalled = slack.uninstall()
  const call = (token: string | undefined) => webClient(slack.apiUrl, token).auth.test()
  expect(await refusal(call(one.access_token))).toBe('account_inactive')
  expect((await call(two.access_token)).ok).toBe(true)
  const at = Math.floor(clock / 1000)
  clock += 5_000
  uninstalled.sendEvent('tokens_revoked')
  await expect.poll(() => app.requests.length).toBe(1)
  expect(app.last()).toMatchObject({
    team_id: TEAM.id,
    event_time: at,
    event: { type: 'tokens_revoked', tokens: { oauth: [], bot: ['U0APPBOTUSER'] } },
  })
})

test('names the organization in everything that the app receives', async () => {
  await grid.ana.types('/shorten help', { in: 'general' })
  expect(app.last()).toMatchObject({
    team_id: ORG.id,
    team_domain: 'grid',
    enterprise_id: ORG.enterprise.id,
    is_enterprise_install: 'true',
  })
  await grid.ana.runsShortcut('shorten_link')
  expect(app.last()).toMatchObject({
    team: null,
    user: { team_id: ORG.id },
    enterprise: { id: ORG.enterprise.id },
    is_enterprise_install: true,
  })
  await grid.ana.opensHome()
  await expect.poll(() => app.requests.length).toBe(3)
  expect(app.last()).toMatchObject({
    team_id: ORG.id,
    authorizations: [
      { enterprise_id: ORG.enterprise.id, team_id: null, is_enterprise_install: true },
    ],
  })
})

test('rejects a manifest with an optional scope that is not a bot scope', () => {
  const manifest = projectManifest() as { oauth_config: { scopes: { bot: string[] } } }
  manifest.oauth_config.scopes.bot = ['commands']
  expect(() => readManifest(manifest)).toThrow('every optional scope')
})
