import { expect, test } from 'vitest'
import { manifestSchema } from '../../src/simulator/manifest.ts'
import { TEAM } from '../../src/simulator/workspace/seeds.ts'
import { slackForEach } from '../support/slack-for-each.ts'
import { createSlackOAuth } from '../support/slack-oauth.ts'
import { expectError, webClient } from '../support/web-client.ts'
import { projectManifest } from '../support/workspace.ts'

const REDIRECT = 'https://backhalf.example.com/slack/oauth_redirect'

let clock = Date.now()
const now = () => clock
const app = { clientId: '1.2', clientSecret: 'secret' }
const oauth = createSlackOAuth({ ...app, now, lifetimeSeconds: 43_200 })
const { slack } = slackForEach({ oauth, now, connects: false })

/** Submits Slack's consent page. @returns the code */
function consent(change: Record<string, string> = {}, scopes?: string[]): string {
  const query = { client_id: '1.2', scope: 'commands,files:read', redirect_uri: REDIRECT }
  const all = new URLSearchParams({ ...query, state: 's', ...change })
  const answer = { userId: slack.ana.id, ...(scopes && { scopes }) }
  const back = slack.consent(`https://slack.com/oauth/v2/authorize?${all.toString()}`, answer)
  return new URL(back).searchParams.get('code') ?? ''
}

const access = (args: Record<string, string>) =>
  webClient(slack.apiUrl, '').oauth.v2.access({
    client_id: '1.2',
    client_secret: 'secret',
    redirect_uri: REDIRECT,
    ...args,
  })

test('exchanges a code once, for a token of the workspace', async () => {
  const code = consent()
  expect(await access({ code })).toMatchObject({
    ok: true,
    access_token: expect.stringMatching(/^xoxe\.xoxb-/) as string,
    refresh_token: expect.stringMatching(/^xoxe-/) as string,
    expires_in: 43_200,
    scope: 'commands,files:read',
    team: { id: TEAM.id, name: TEAM.name },
    enterprise: null,
    is_enterprise_install: false,
  })
  await expectError(access({ code }), 'invalid_code')
})

test('rejects a code with a wrong secret, with another redirect_uri, or after its expiry', async () => {
  await expectError(access({ code: consent(), client_secret: 'guessed' }), 'bad_client_secret')
  const elsewhere = { code: consent(), redirect_uri: 'https://evil.example.com/' }
  await expectError(access(elsewhere), 'bad_redirect_uri')
  const late = consent()
  clock += 601_000
  await expectError(access({ code: late }), 'invalid_code')
})

test.each([
  [{ client_id: '9.9' }, 'Invalid client_id'],
  [{ scope: '' }, 'No scopes requested'],
  [{ scope: 'commands,admin' }, 'Invalid permissions'],
  [{ redirect_uri: 'https://evil.example.com/' }, 'did not match'],
])('rejects an authorization request with %j', (change, words) => {
  expect(() => consent(change)).toThrow(words)
})

test('lets people decline only optional scopes', () => {
  expect(consent({}, ['commands'])).not.toBe('')
  expect(() => consent({}, ['files:read'])).toThrow('Only optional scopes')
})

test('accepts a refresh token once, and the old token until it expires', async () => {
  const first = await access({ code: consent() })
  const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' }
  clock += 11 * 3_600_000
  const second = await access(refresh)
  await expectError(access(refresh), 'invalid_refresh_token')
  const call = (token: string | undefined) => webClient(slack.apiUrl, token).auth.test()
  expect((await call(first.access_token)).ok).toBe(true)
  clock += 2 * 3_600_000
  await expectError(call(first.access_token), 'token_expired')
  expect((await call(second.access_token)).ok).toBe(true)
})

test('rejects a manifest with an optional scope that is not a bot scope', () => {
  const manifest = projectManifest() as { oauth_config: { scopes: { bot: string[] } } }
  manifest.oauth_config.scopes.bot = ['commands']
  expect(() => manifestSchema.parse(manifest)).toThrow('every optional scope')
})
