import { hostname, platform, userInfo } from 'node:os'
import { join } from 'node:path'
import { COMMAND, DEFAULT_COMMAND, setCommand } from '../config/command.ts'
import type { Environment } from '../config/variables.ts'
import { effectiveValues, effectiveVariables, type Setup } from './ask.ts'
import { readEnvFile, writeSettings } from './env-file.ts'
import { LINK_PORT } from './local-servers.ts'
import { askLinks } from './link-questions.ts'
import { askOperation } from './operation-questions.ts'
import { askCommand, askConnection, askTokens, createApp } from './slack-questions.ts'
import type { Connection } from './slack-questions.ts'
import { createTerminal, type Streams, type Terminal } from './terminal.ts'
import { withoutSlash } from '../contract/endpoints.ts'

interface SetupOptions extends Streams {
  isTerminal: boolean
  directory: string
  environment: Environment
}

export async function runSetup(args: readonly string[], options: SetupOptions): Promise<number> {
  const { isTerminal, output, signal } = options
  if (args.length > 0) {
    output.write(USAGE)
    return args[0] === '--help' || args[0] === '-h' ? 0 : 2
  }
  if (!isTerminal) {
    output.write(NO_TERMINAL)
    return 2
  }
  const terminal = createTerminal(options)
  try {
    return await askEverything(terminal, options)
  } catch (error) {
    // Ctrl-C rejects a question with an error of this name.
    const isStopped = signal.aborted || (error instanceof Error && error.name === 'ExitPromptError')
    if (!isStopped) throw error
    terminal.say('Stopped. Nothing was changed.')
    return 1
  }
}

async function askEverything(
  terminal: Terminal,
  { directory, environment, signal }: SetupOptions,
): Promise<number> {
  const path = join(directory, '.env')
  const { text, values: saved } = await readEnvFile(path)
  terminal.heading('Connect Backhalf to Slack')
  terminal.say(
    `This takes about fifteen minutes. You need permission to install apps in your
Slack workspace. Every answer is checked. Nothing is written before the end, and
Ctrl-C stops at any time.`,
  )
  const server = serverName(environment)
  if (server !== undefined) {
    terminal.say(
      `This machine seems to be a server, without a browser. Step 3 opens a page at
http://127.0.0.1:${LINK_PORT}/ on it. To reach that page from your own browser, press
Ctrl-C now, connect from your computer with this command, and start again:

  ssh -L ${LINK_PORT}:127.0.0.1:${LINK_PORT} ${userInfo().username}@${server}

Or go on, and choose in step 3 to see what to paste instead.`,
    )
  }
  if (text !== '') {
    terminal.say('There is a .env file already. Press Enter to keep a value that it contains.')
  }
  await using standIns = new AsyncDisposableStack()
  const setup: Setup = { terminal, saved, environment, signal, settings: {}, standIns }
  terminal.heading('Step 1 of 4: How Slack and Backhalf reach each other')
  const connection = await askConnection(setup)
  terminal.heading('Step 2 of 4: Links and data')
  await askLinks(setup)
  await askOperation(setup)
  terminal.heading('Step 3 of 4: The app at Slack')
  await askCommand(setup)
  setCommand(effectiveVariables(setup).SLACK_COMMAND ?? DEFAULT_COMMAND)
  await createApp(setup, connection.mode)
  await askTokens(setup, connection)
  terminal.heading('Step 4 of 4: Write .env')
  if (!(await writeSettings(setup, path, text))) return 1
  terminal.heading('What to do next')
  terminal.say(nextSteps(connection, effectiveValues(setup)))
  return 0
}

/** A machine without a desktop counts as a server, too, because sudo hides the variables of SSH. */
function serverName({ SSH_CONNECTION: ssh, DISPLAY, WAYLAND_DISPLAY }: Environment) {
  // SSH_CONNECTION holds the client's address and port, then the server's.
  if (ssh) return ssh.split(' ')[2] ?? hostname()
  return platform() === 'linux' && !DISPLAY && !WAYLAND_DISPLAY ? hostname() : undefined
}

const USAGE = `Usage: npm run setup

Connects Backhalf to Slack. It asks step by step for what is needed, checks each
answer, and writes the file .env next to package.json. Nothing is written before
the end. An existing .env is changed in place, and a copy of it is kept.
`

const NO_TERMINAL = `npm run setup asks questions, so it needs a terminal. Without one, set these as
environment variables, or in a file named .env next to package.json:

  SLACK_BOT_TOKEN       one workspace: the bot token, xoxb-…
  SLACK_APP_TOKEN       Socket Mode: the app-level token, xapp-…
  SLACK_SIGNING_SECRET  HTTP, instead of SLACK_APP_TOKEN: the signing secret
  PUBLIC_URL            HTTP: Backhalf’s public https address
  SERVICE_PUBLIC_URL    the short links’ address, such as https://go.example.com
  SLACK_COMMAND         the slash command, if another app has ${DEFAULT_COMMAND}

Several workspaces need SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SLACK_STATE_SECRET
and PUBLIC_URL instead of SLACK_BOT_TOKEN. PostgreSQL needs DATABASE_URL and
ENCRYPTION_KEYS. docs/installing.md explains how to get these values, and
docs/configuration.md lists all settings. npm run doctor checks them.
`

const ICON = join(import.meta.dirname, '../../docs/pictures/app-icon.png')

export function nextSteps(
  { mode, workspaces }: Connection,
  {
    PUBLIC_URL: publicUrl,
    SHORTLINK_BASE_URL: otherService,
    SLACK_APP_TOKEN: appToken,
  }: Readonly<Record<string, string>>,
): string {
  const page = appPage(appToken)
  const steps = ['Start Backhalf:  npm start']
  if (mode === 'http') {
    steps.push(
      `If Slack says that the Request URL is not verified: while Backhalf runs,
choose Retry at ${page}
→ Event Subscriptions, and save.`,
    )
  }
  if (workspaces === 'many') {
    steps.push(
      `Activate public distribution at ${page}
→ Manage Distribution. Then install the app in each workspace:
${withoutSlash(publicUrl ?? '')}/slack/install`,
    )
  }
  if (otherService !== undefined) {
    steps.push(`Connect the link service. As an admin, type in Slack:  ${COMMAND} connect`)
  }
  steps.push(`Create the first short link. Type in Slack:  ${COMMAND} https://example.com`)
  steps.push(
    `Give the app its icon, if you like. Upload it at ${page}
→ Basic Information → Display Information → App Icon:
${ICON}`,
  )
  const numbered = steps.map((step, index) => `  ${index + 1}. ${step.replaceAll('\n', '\n     ')}`)
  return `${numbered.join('\n')}

If something does not work, npm run doctor says what is wrong and how to fix it.`
}

/** An app-level token contains the app's ID: `xapp-1-A0123456789-…`. */
function appPage(appToken: string | undefined): string {
  const [, id] = /^xapp-\d-(A[A-Z0-9]{8,})-/.exec(appToken ?? '') ?? []
  return `https://api.slack.com/apps${id === undefined ? '' : `/${id}`}`
}
