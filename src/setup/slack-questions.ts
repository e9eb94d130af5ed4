import { randomBytes } from 'node:crypto'
import { parse, stringify } from 'yaml'
import { DEFAULT_COMMAND } from '../config/command.ts'
import { SLACK_API_URL } from '../config/slack-config.ts'
import { unfurlDomains } from '../config/config.ts'
import {
  checkAppToken,
  checkBotToken,
  checkClientCredentials,
  checkSigningSecretFormat,
  neededScopes,
  type SlackAccess,
} from '../doctor/slack-checks.ts'
import { manifestText } from '../slack/install/manifest.ts'
import { askAddress, askSettings, effectiveValues, effectiveVariables, type Setup } from './ask.ts'
import { openLocalLink } from './local-servers.ts'

export interface Connection {
  mode: 'socket' | 'http'
  workspaces: 'one' | 'many'
}

export async function askConnection(setup: Setup): Promise<Connection> {
  const { terminal, saved } = setup
  const earlierMode = !saved.SLACK_APP_TOKEN && saved.SLACK_SIGNING_SECRET ? 'http' : 'socket'
  const mode = await terminal.choose('How should Slack reach Backhalf?', earlierMode, {
    socket: {
      name: 'Socket Mode (recommended)',
      description:
        'Backhalf connects to Slack. This needs no public address, and works on a laptop and behind a firewall.',
    },
    http: {
      name: 'HTTP',
      description:
        'Slack calls Backhalf. You need a public https address that leads to this machine.',
    },
  })
  const earlierWorkspaces = saved.SLACK_CLIENT_ID ? 'many' : 'one'
  const workspaces = await terminal.choose('Who will use it?', earlierWorkspaces, {
    one: {
      name: 'One Slack workspace',
      description: 'You install the app in your workspace and copy its token here.',
    },
    many: {
      name: 'Several workspaces, or an Enterprise Grid organization',
      description:
        'Each workspace installs the app itself, on a page of Backhalf (OAuth). The page needs a public https address, even with Socket Mode.',
    },
  })
  if (mode === 'http' || workspaces === 'many') await askPublicUrl(setup, mode)
  return { mode, workspaces }
}

function askPublicUrl(setup: Setup, mode: Connection['mode']): Promise<void> {
  const explain = (hostAndPort: string): string =>
    `${mode === 'http' ? 'Slack calls Backhalf' : 'People install the app'} at a public https address, such as
https://links.example.com. It must lead to ${hostAndPort} on this machine, for
example through a proxy such as Caddy. Until Backhalf runs,
this setup responds there, so that it can check the address.`
  return askAddress(setup, 'PORT', explain, {
    setting: 'PUBLIC_URL',
    message: 'Backhalf’s public address:',
    problem: (text) =>
      URL.parse(text)?.protocol === 'https:'
        ? undefined
        : 'It must start with https://, because Slack and browsers require it.',
  })
}

export async function askCommand(setup: Setup): Promise<void> {
  if (effectiveValues(setup).SLACK_COMMAND !== undefined) return
  const question = `Does another app in your workspace use ${DEFAULT_COMMAND}?`
  const command = await setup.terminal.choose(question, 'default', {
    default: { name: 'No' },
    other: {
      name: 'Yes',
      description:
        'You choose another command for Backhalf. If two apps have the same one, Slack uses the app that was installed last.',
    },
  })
  if (command === 'default') return
  const message = 'Backhalf’s command:'
  await askSettings(setup, [{ setting: 'SLACK_COMMAND', message, preset: '/short' }])
}

/**
 * Returns a link to Slack's page for new apps, with the manifest filled in
 * (https://docs.slack.dev/app-manifests/configuring-apps-with-app-manifests, “Sharing manifests”). Some servers and
 * terminals refuse a link of 8,000 characters. Without comments and indentation, it has 5,300.
 */
export function createAppLink(manifest: string): string {
  const short = stringify(parse(manifest), { lineWidth: 0, indent: 1, indentSeq: false })
  return `https://api.slack.com/apps?new_app=1&manifest_yaml=${encodeURIComponent(short)}`
}

const APP_STATES = {
  created: { name: 'Yes, or it existed before' },
  manifest: {
    name: 'No, show me what to paste instead',
    description: 'Choose this if your browser is on another machine, or to change an existing app.',
  },
}

export async function createApp(setup: Setup, mode: Connection['mode']): Promise<void> {
  const { terminal } = setup
  const variables = effectiveVariables(setup)
  const { PUBLIC_URL: url } = effectiveValues(setup)
  const http = url !== undefined && { url, hasMcp: variables.SLACK_MCP === 'on' }
  const target = mode === 'socket' || !http ? 'socket' : http
  const manifest = manifestText(target, unfurlDomains(variables), url)
  await using localLink = await openLocalLink(createAppLink(manifest))
  terminal.say(
    `Open this link in your browser. It leads to Slack’s page for new apps, with
everything filled in:

  ${localLink.listeningOrigin}/

  1. Sign in if Slack asks you to.
  2. Pick your workspace, and choose Next.
  3. Choose Create. Slack then shows the app’s page “Basic Information”.`,
  )
  while ((await terminal.choose('Is the app created?', 'created', APP_STATES)) !== 'created') {
    terminal.say(
      `For a new app, open https://api.slack.com/apps, choose Create New App, then From
a manifest, and pick your workspace. For an existing app, open it there and
choose App Manifest on the left. Select YAML, and replace everything with this:`,
    )
    terminal.say(manifest)
  }
}

export async function askTokens(setup: Setup, { mode, workspaces }: Connection): Promise<void> {
  await (mode === 'socket' ? askAppToken(setup) : askSigningSecret(setup))
  await (workspaces === 'one' ? askBotToken(setup) : askClientCredentials(setup))
}

async function askAppToken(setup: Setup): Promise<void> {
  setup.terminal.say(
    `The app-level token lets Backhalf connect to Slack.
  1. On the app’s page “Basic Information”, scroll down to App-Level Tokens.
  2. Choose Generate Token and Scopes, and type any name, such as backhalf.
  3. Choose Add Scope, then connections:write, then Generate.
  4. Copy the token. It starts with xapp-.`,
  )
  const message = 'App-level token'
  await askSettings(setup, [{ setting: 'SLACK_APP_TOKEN', message, isSecret: true }], {
    subject: 'the app-level token',
    check: ({ SLACK_APP_TOKEN: token = '' }) => checkAppToken({ ...slackAccess(setup), token }),
  })
}

async function askSigningSecret(setup: Setup): Promise<void> {
  setup.terminal.say(
    `With the signing secret, Backhalf recognizes Slack’s requests.
  1. On the app’s page “Basic Information”, scroll down to App Credentials.
  2. Choose Show next to Signing Secret, and copy it.`,
  )
  const message = 'Signing secret'
  await askSettings(setup, [{ setting: 'SLACK_SIGNING_SECRET', message, isSecret: true }], {
    subject: 'the signing secret',
    check: async ({ SLACK_SIGNING_SECRET: secret = '' }) => [checkSigningSecretFormat(secret)],
  })
  setup.settings.SLACK_APP_TOKEN = undefined
}

async function askBotToken(setup: Setup): Promise<void> {
  setup.terminal.say(
    `The bot token lets Backhalf answer in your workspace.
  1. On the app’s page, choose Install App on the left.
  2. Choose Install to your workspace, then Allow. (If Slack says Request to
     Install, an admin of your workspace must approve the app first.)
  3. Copy the Bot User OAuth Token. It starts with xoxb-.`,
  )
  const message = 'Bot User OAuth Token'
  await askSettings(setup, [{ setting: 'SLACK_BOT_TOKEN', message, isSecret: true }], {
    subject: 'the bot token and its scopes',
    check({ SLACK_BOT_TOKEN: token = '' }) {
      const read = effectiveVariables(setup)
      const needed = neededScopes(unfurlDomains(read), read.SLACK_MCP === 'on')
      return checkBotToken({ ...slackAccess(setup), token, needed })
    },
  })
  Object.assign(setup.settings, {
    SLACK_CLIENT_ID: undefined,
    SLACK_CLIENT_SECRET: undefined,
    SLACK_STATE_SECRET: undefined,
  })
}

async function askClientCredentials(setup: Setup): Promise<void> {
  const { terminal, settings, saved } = setup
  terminal.say(
    `With the client ID and secret, workspaces can install the app.
  1. On the app’s page “Basic Information”, scroll down to App Credentials.
  2. Copy the Client ID, which looks like 1234567890.1234567890.
  3. Choose Show next to Client Secret, and copy it as well.`,
  )
  await askSettings(
    setup,
    [
      { setting: 'SLACK_CLIENT_ID', message: 'Client ID:' },
      { setting: 'SLACK_CLIENT_SECRET', message: 'Client Secret', isSecret: true },
    ],
    {
      subject: 'the client ID and secret',
      check: ({ SLACK_CLIENT_ID: clientId = '', SLACK_CLIENT_SECRET: clientSecret = '' }) =>
        checkClientCredentials({ ...slackAccess(setup), clientId, clientSecret }),
    },
  )
  Object.assign(settings, {
    SLACK_STATE_SECRET: saved.SLACK_STATE_SECRET ?? randomBytes(32).toString('base64'),
    // These belong to a single workspace, and must not apply to all of them.
    SLACK_BOT_TOKEN: undefined,
    SHORTLINK_API_KEY: undefined,
    SHORTLINK_DOMAIN: undefined,
  })
}

function slackAccess(setup: Setup): SlackAccess {
  const { SLACK_API_URL: apiUrl = SLACK_API_URL } = effectiveVariables(setup)
  return { signal: setup.signal, apiUrl }
}
