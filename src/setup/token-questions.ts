import { randomBytes } from 'node:crypto'
import { readVariables } from '../config/variables.ts'
import { unfurlDomains } from '../config/unfurl-domains.ts'
import {
  checkAppToken,
  checkBotToken,
  checkClientCredentials,
  checkSigningSecretFormat,
  neededScopes,
  type NeededScopes,
  type SlackAccess,
} from '../doctor/slack-checks.ts'
import { askUntilAccepted } from './checked-answer.ts'
import type { Connection } from './connection-questions.ts'
import type { Settings } from './env-file.ts'
import { askSecretSetting, invalid, type Asking } from './questions.ts'

/**
 * Asks for the tokens and secrets, in the order in which they are found on the app's pages at Slack.
 *
 * @param values the settings so far
 * @returns the answers. Settings that would be used instead are undefined, which removes them
 */
export async function askTokens(
  asking: Asking,
  { mode, workspaces }: Connection,
  values: Readonly<Record<string, string>>,
): Promise<Settings> {
  const valid = readVariables(values, [])
  const { SLACK_API_URL: apiUrl } = valid
  const domains = unfurlDomains(valid)
  const access = { signal: asking.signal, ...(apiUrl !== undefined && { apiUrl }) }
  return {
    ...(mode === 'socket'
      ? { SLACK_APP_TOKEN: await askAppToken(asking, access) }
      : { SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET: await askSigningSecret(asking) }),
    ...(workspaces === 'one'
      ? {
          ...NO_OAUTH,
          SLACK_BOT_TOKEN: await askBotToken(asking, access, neededScopes(domains)),
        }
      : { ...NO_WORKSPACE, ...(await askClientCredentials(asking, access)) }),
  }
}

const NO_OAUTH: Settings = {
  SLACK_CLIENT_ID: undefined,
  SLACK_CLIENT_SECRET: undefined,
  SLACK_STATE_SECRET: undefined,
}

/** A key for all workspaces would belong to one of them. */
const NO_WORKSPACE: Settings = {
  SLACK_BOT_TOKEN: undefined,
  SHORTLINK_API_KEY: undefined,
  SHORTLINK_DOMAIN: undefined,
}

async function askAppToken(asking: Asking, access: SlackAccess): Promise<string> {
  asking.terminal.say(
    `The app-level token lets Backhalf connect to Slack.
  1. On the app’s page “Basic Information”, scroll down to App-Level Tokens.
  2. Choose Generate Token and Scopes, and type any name, such as backhalf.
  3. Choose Add Scope, then connections:write, then Generate.
  4. Copy the token. It starts with xapp-.`,
  )
  return askUntilAccepted(asking.terminal, {
    what: 'the app-level token',
    ask: () => askSecretSetting(asking, 'SLACK_APP_TOKEN', 'App-level token'),
    check: async (token) => (await checkAppToken({ ...access, token })).findings,
  })
}

async function askSigningSecret(asking: Asking): Promise<string> {
  asking.terminal.say(
    `With the signing secret, Backhalf recognizes Slack’s requests.
  1. On the app’s page “Basic Information”, scroll down to App Credentials.
  2. Choose Show next to Signing Secret, and copy it.`,
  )
  return askUntilAccepted(asking.terminal, {
    what: 'the signing secret',
    ask: () => askSecretSetting(asking, 'SLACK_SIGNING_SECRET', 'Signing secret'),
    check: async (secret) => [checkSigningSecretFormat(secret)],
  })
}

async function askBotToken(
  asking: Asking,
  access: SlackAccess,
  needed: NeededScopes,
): Promise<string> {
  asking.terminal.say(
    `The bot token lets Backhalf answer in your workspace.
  1. On the app’s page, choose Install App on the left.
  2. Choose Install to your workspace, then Allow. (If Slack says Request to
     Install, an admin of your workspace must approve the app first.)
  3. Copy the Bot User OAuth Token. It starts with xoxb-.`,
  )
  return askUntilAccepted(asking.terminal, {
    what: 'the bot token and its scopes',
    ask: () => askSecretSetting(asking, 'SLACK_BOT_TOKEN', 'Bot User OAuth Token'),
    check: async (token) => (await checkBotToken({ ...access, token, needed })).findings,
  })
}

async function askClientCredentials(asking: Asking, access: SlackAccess): Promise<Settings> {
  const { terminal, earlier } = asking
  terminal.say(
    `With the client ID and secret, workspaces can install the app.
  1. On the app’s page “Basic Information”, scroll down to App Credentials.
  2. Copy the Client ID, which looks like 1234567890.1234567890.
  3. Choose Show next to Client Secret, and copy it as well.`,
  )
  const { clientId, clientSecret } = await askUntilAccepted(terminal, {
    what: 'the client ID and secret',
    ask: async () => ({
      clientId: await terminal.ask('Client ID:', {
        preset: earlier.SLACK_CLIENT_ID,
        validate: (text) => invalid('SLACK_CLIENT_ID', text),
      }),
      clientSecret: await askSecretSetting(asking, 'SLACK_CLIENT_SECRET', 'Client Secret'),
    }),
    check: async (credentials) =>
      (await checkClientCredentials({ ...access, ...credentials })).findings,
  })
  return {
    SLACK_CLIENT_ID: clientId,
    SLACK_CLIENT_SECRET: clientSecret,
    SLACK_STATE_SECRET: earlier.SLACK_STATE_SECRET ?? randomBytes(32).toString('base64'),
  }
}
