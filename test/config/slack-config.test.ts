import { expect, test } from 'vitest'
import { parseSlackConfig } from '../../src/config/slack-config.ts'
import { readVariables } from '../../src/config/variables.ts'

function parse(env: Record<string, string>) {
  const issues: string[] = []
  const config = parseSlackConfig(env, readVariables(env, issues), issues)
  return { config, issues }
}

const namesIn = (issues: readonly string[]): (string | undefined)[] =>
  issues.map((issue) => issue.split(/[: ]/)[0])

const SLACK_STATE_SECRET = 'a secret for the state'
const OAUTH = {
  SLACK_CLIENT_ID: '1234.5678',
  SLACK_CLIENT_SECRET: 'client secret',
  SLACK_STATE_SECRET,
}

test('uses Socket Mode if there is an app-level token', () => {
  const env = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', SLACK_SIGNING_SECRET: 's' }
  expect(parse(env).config).toEqual({
    mode: 'socket',
    botToken: 'xoxb-1',
    appToken: 'xapp-1',
    apiUrl: 'https://slack.com/api/',
  })
})

test('lets any workspace install the app with OAuth, over HTTP or in Socket Mode', () => {
  const oauth = {
    clientId: '1234.5678',
    clientSecret: 'client secret',
    stateSecret: 'a secret for the state',
  }
  const both = { oauth, apiUrl: 'https://slack.com/api/' }
  const http = { ...both, mode: 'http', signingSecret: 's' }
  expect(parse({ ...OAUTH, SLACK_SIGNING_SECRET: 's' }).config).toEqual(http)
  const socket = { ...both, mode: 'socket', appToken: 'xapp-1' }
  expect(parse({ ...OAUTH, SLACK_APP_TOKEN: 'xapp-1' }).config).toEqual(socket)
})

test('names the Slack variables that are missing', () => {
  expect(parse({ SLACK_SIGNING_SECRET: 's' })).toEqual({
    config: undefined,
    issues: ['SLACK_BOT_TOKEN: is missing; find it on your app’s page, under OAuth & Permissions'],
  })
  expect(parse({ SLACK_BOT_TOKEN: 'xoxb-1' }).issues).toEqual([
    expect.stringContaining('SLACK_SIGNING_SECRET: is missing') as string,
  ])
  expect(parse({ SLACK_API_URL: 'http://127.0.0.1:9/' }).issues).toHaveLength(2)
})

test.each([
  [{ SLACK_CLIENT_ID: '1.2' }, 'SLACK_CLIENT_SECRET SLACK_STATE_SECRET SLACK_SIGNING_SECRET'],
  [{ SLACK_STATE_SECRET, SLACK_APP_TOKEN: 'xapp-1' }, 'SLACK_CLIENT_ID SLACK_CLIENT_SECRET'],
  [{ ...OAUTH, SLACK_STATE_SECRET: 'short', SLACK_SIGNING_SECRET: 's' }, 'SLACK_STATE_SECRET'],
])('names the OAuth variables that are missing or invalid in %j', (env, names) => {
  expect(namesIn(parse(env).issues).join(' ')).toBe(names)
})

test('neither calls a token of the wrong kind missing nor opens the playground with it', () => {
  const issue = 'SLACK_BOT_TOKEN: must be a complete bot token, which starts with xoxb-'
  expect(parse({ SLACK_BOT_TOKEN: 'xoxp-1', SLACK_SIGNING_SECRET: 's' }).issues).toEqual([issue])
  expect(parse({ SLACK_BOT_TOKEN: 'xoxp-1' }).config).toBeUndefined()
})

test('rejects the placeholders that README.md shows for secrets', () => {
  const names = (env: Record<string, string>) => namesIn(parse(env).issues)
  const tokens = { SLACK_BOT_TOKEN: 'xoxb-…', SLACK_APP_TOKEN: 'xapp-…' }
  expect(names(tokens)).toEqual(['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'])
  const secret = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: '…' }
  expect(names(secret)).toEqual(['SLACK_SIGNING_SECRET'])
})

test('rejects a bot token together with OAuth', () => {
  const env = { ...OAUTH, SLACK_SIGNING_SECRET: 's', SLACK_BOT_TOKEN: 'xoxb-1' }
  expect(parse(env).issues).toEqual([expect.stringContaining('set only one of the two') as string])
})
