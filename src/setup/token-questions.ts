import { randomBytes } from 'node:crypto'
import { SLACK_API_URL } from '../config/slack-config.ts'
import { unfurlDomains } from '../config/unfurl-domains.ts'
import { readVariables } from '../config/variables.ts'
import {
  checkAppToken,
  checkBotToken,
  checkClientCredentials,
  checkSigningSecretFormat,
  neededScopes,
  type SlackAccess,
} from '../doctor/slack-checks.ts'
import { effectiveValues, type Progress, type Step } from './ask.ts'

export const TOKENS: readonly Step[] = [
  {
    when: ({ chosen }) => chosen.mode === 'socket',
    say: `The app-level token lets Backhalf connect to Slack.
  1. On the app’s page “Basic Information”, scroll down to App-Level Tokens.
  2. Choose Generate Token and Scopes, and type any name, such as backhalf.
  3. Choose Add Scope, then connections:write, then Generate.
  4. Copy the token. It starts with xapp-.`,
    questions: [{ setting: 'SLACK_APP_TOKEN', message: 'App-level token', isSecret: true }],
    what: 'the app-level token',
    check: ({ SLACK_APP_TOKEN: token = '' }, progress) =>
      checkAppToken({ ...slackAccess(progress), token }),
  },
  {
    when: ({ chosen }) => chosen.mode === 'http',
    say: `With the signing secret, Backhalf recognizes Slack’s requests.
  1. On the app’s page “Basic Information”, scroll down to App Credentials.
  2. Choose Show next to Signing Secret, and copy it.`,
    questions: [{ setting: 'SLACK_SIGNING_SECRET', message: 'Signing secret', isSecret: true }],
    what: 'the signing secret',
    check: async ({ SLACK_SIGNING_SECRET: secret = '' }) => [checkSigningSecretFormat(secret)],
    implies: () => ({ SLACK_APP_TOKEN: undefined }),
  },
  {
    when: ({ chosen }) => chosen.workspaces === 'one',
    say: `The bot token lets Backhalf answer in your workspace.
  1. On the app’s page, choose Install App on the left.
  2. Choose Install to your workspace, then Allow. (If Slack says Request to
     Install, an admin of your workspace must approve the app first.)
  3. Copy the Bot User OAuth Token. It starts with xoxb-.`,
    questions: [{ setting: 'SLACK_BOT_TOKEN', message: 'Bot User OAuth Token', isSecret: true }],
    what: 'the bot token and its scopes',
    check({ SLACK_BOT_TOKEN: token = '' }, progress) {
      const read = readVariables(effectiveValues(progress), [])
      const needed = neededScopes(unfurlDomains(read), read.SLACK_MCP === 'on')
      return checkBotToken({ ...slackAccess(progress), token, needed })
    },
    implies: () => ({
      SLACK_CLIENT_ID: undefined,
      SLACK_CLIENT_SECRET: undefined,
      SLACK_STATE_SECRET: undefined,
    }),
  },
  {
    when: ({ chosen }) => chosen.workspaces === 'many',
    say: `With the client ID and secret, workspaces can install the app.
  1. On the app’s page “Basic Information”, scroll down to App Credentials.
  2. Copy the Client ID, which looks like 1234567890.1234567890.
  3. Choose Show next to Client Secret, and copy it as well.`,
    questions: [
      { setting: 'SLACK_CLIENT_ID', message: 'Client ID:' },
      { setting: 'SLACK_CLIENT_SECRET', message: 'Client Secret', isSecret: true },
    ],
    what: 'the client ID and secret',
    check: ({ SLACK_CLIENT_ID: clientId = '', SLACK_CLIENT_SECRET: secret = '' }, progress) =>
      checkClientCredentials({ ...slackAccess(progress), clientId, clientSecret: secret }),
    implies: ({ earlier }) => ({
      SLACK_STATE_SECRET: earlier.SLACK_STATE_SECRET ?? randomBytes(32).toString('base64'),
      // A key for all workspaces would belong to one of them.
      SLACK_BOT_TOKEN: undefined,
      SHORTLINK_API_KEY: undefined,
      SHORTLINK_DOMAIN: undefined,
    }),
  },
]

function slackAccess(progress: Progress): SlackAccess {
  const { SLACK_API_URL: apiUrl = SLACK_API_URL } = readVariables(effectiveValues(progress), [])
  return { signal: progress.signal, apiUrl }
}
