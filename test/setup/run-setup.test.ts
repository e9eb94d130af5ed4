import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parse as parseEnv } from 'dotenv'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
} from 'vitest'
import { parse as parseYaml } from 'yaml'
import { DEFAULT_COMMAND, setCommand } from '../../src/config/command.ts'
import { parseConfig } from '../../src/config/config.ts'
import { simulatorPlugin } from '../../src/simulator/http/simulator-plugin.ts'
import { manifestText } from '../../src/slack/install/manifest.ts'
import { failure, startFakeLinkService } from '../support/fake-link-service.ts'
import { startFakeShlink } from '../support/fake-shlink.ts'
import { withDirectory } from '../support/fixtures.ts'
import { freePort } from '../support/free-port.ts'
import { OAUTH } from '../support/installing.ts'
import { createPostgresDatabase, postgresSkipped } from '../support/postgres.ts'
import { createSlackOAuth } from '../support/slack-oauth.ts'
import {
  CTRL_C,
  DELETE_LINE,
  QUESTIONS,
  readEnv,
  startWizard,
  type Wizard,
} from '../support/wizard.ts'
import {
  BOT_TOKEN,
  projectManifest,
  startSimulatedWorkspace,
  type TestWorkspace,
} from '../support/workspace.ts'

const SIGNING_SECRET = '0123456789abcdef0123456789abcdef'
/** The app-level token that the simulated Slack accepts, in the form of Slack's: with the app's ID. */
const APP_TOKEN = 'xapp-1-A0123456789-1234567890-an-app-token-for-tests'

/** A simulated Slack that also lets an app with the app-level token open a socket. */
const startSlackWithSockets = (
  options: Parameters<typeof startSimulatedWorkspace>[0] = {},
): Promise<TestWorkspace> =>
  startSimulatedWorkspace(options, async (scope, own) => {
    await simulatorPlugin(scope, own)
    await scope.register(async (sockets) => {
      sockets.addContentTypeParser('*', (_request, _body, done) => done(null))
      sockets.post('/api/apps.connections.open', ({ headers }) =>
        headers.authorization === `Bearer ${APP_TOKEN}`
          ? { ok: true, url: 'wss://127.0.0.1/never-used' }
          : { ok: false, error: 'invalid_auth' },
      )
    })
  })

const { test, directory } = withDirectory()
let slack: TestWorkspace
/** What a `.env` file for tests contains: the simulated Slack, and free ports. */
let base: string

beforeAll(async () => {
  slack = await startSlackWithSockets()
})
afterAll(() => slack.close())

beforeEach(async () => {
  base = `SLACK_API_URL=${slack.apiUrl}\nPORT=${await freePort()}\nSERVICE_PORT=${await freePort()}\n`
})
afterEach(() => slack.stopFailing())

/** Starts the setup, which is stopped after the test. */
async function start(env = base, environment: Record<string, string> = {}): Promise<Wizard> {
  const wizard = await startWizard(directory.path, env, environment)
  onTestFinished(async () => {
    wizard.interrupt()
    await wizard.ended
  })
  return wizard
}

/** Up to the first token, with what is recommended. */
const UNTIL_COMMAND = 'mode workspaces service place data command'
const QUICKLY = `${UNTIL_COMMAND} created`
const BOTH_TOKENS = `appToken=${APP_TOKEN} botToken=${BOT_TOKEN}`
const HTTP = `mode=HTTP workspaces publicUrl=https://backhalf.invalid next=Keep service place data proxy operator supportEmail supportPage privacy command created signingSecret=${SIGNING_SECRET}`

/** Answers the last questions, and confirms. */
async function writes(wizard: Wizard, way = ''): Promise<void> {
  await wizard.goes(`${way} write`.trim())
  expect(await wizard.ended).toBe(0)
}

/** The configuration that the app starts with. */
async function configuration() {
  return parseConfig(parseEnv(await readEnv(directory.path)))
}

async function endsWithoutChange(wizard: Wizard): Promise<void> {
  expect(await wizard.ended).toBe(1)
  expect(await readdir(directory.path)).toEqual(['.env'])
  expect(await readEnv(directory.path)).toBe(base)
}

test('writes what the app needs to start, and prints no secret', async () => {
  const wizard = await start()
  await wizard.goes(`${QUICKLY} appToken=${APP_TOKEN}`)
  await wizard.sees('✓ Slack accepts xapp-…ests for Socket Mode.')
  await wizard.goes(`botToken=${BOT_TOKEN}`)
  await wizard.sees('in the workspace Playground (T0PLAYGROUND)')
  await wizard.sees('✓ All 5 scopes of the manifest are granted.')
  await writes(wizard)

  const text = await readEnv(directory.path)
  expect(text).toBe(`${base}SLACK_APP_TOKEN=${APP_TOKEN}\nSLACK_BOT_TOKEN=${BOT_TOKEN}\n`)
  expect((await stat(join(directory.path, '.env'))).mode & 0o777).toBe(0o600)
  expect((await configuration()).slack).toMatchObject({
    mode: 'socket',
    appToken: APP_TOKEN,
    botToken: BOT_TOKEN,
  })
  const screen = wizard.screen()
  expect(screen).toContain('npm start')
  expect(screen).toContain('/shorten https://example.com')
  expect(screen).toContain('npm run doctor')
  expect(screen).toContain('Upload it at https://api.slack.com/apps/A0123456789')
  for (const secret of ['an-app-token', 'a-token-for']) expect(screen).not.toContain(secret)
})

test('links to Slack’s page with the manifest filled in, and shows what is long on request', async () => {
  const wizard = await start()
  await wizard.goes(UNTIL_COMMAND)
  await wizard.asks(QUESTIONS.created)
  // All instructions fit on a screen.
  expect(wizard.screen()).not.toContain('manifest_yaml')
  wizard.presses('No, show me\r')
  await wizard.sees('For a new app')
  await wizard.asks(QUESTIONS.created)
  const manifest = manifestText('socket', [])
  expect(wizard.screen()).toContain(manifest)
  const [shortLink = ''] = /http:\/\/127\.0\.0\.1:\d+\/$/m.exec(wizard.screen()) ?? []
  const { status, headers } = await fetch(shortLink, { redirect: 'manual' })
  const link = new URL(headers.get('location') ?? '')
  expect([status, link.origin + link.pathname]).toEqual([302, 'https://api.slack.com/apps'])
  const filledIn = link.searchParams.get('manifest_yaml') ?? ''
  expect(parseYaml(filledIn)).toEqual(parseYaml(manifest))
})

describe('the slash command', () => {
  // Other files run in the same process.
  afterEach(() => setCommand(DEFAULT_COMMAND))

  test('has another name if another app uses /shorten', async () => {
    const wizard = await start()
    await wizard.goes(`${UNTIL_COMMAND}=Yes`)
    await wizard.asks('Backhalf’s command:')
    wizard.presses(`${DELETE_LINE}Short\r`)
    await wizard.sees('It must be a slash and 1 to 31 lower-case letters')
    wizard.presses(`${DELETE_LINE}/go-links\r`)
    await wizard.answers(QUESTIONS.created, 'No, show me')
    await wizard.sees('- command: /go-links')
    await writes(wizard, `created ${BOTH_TOKENS}`)
    expect(await readEnv(directory.path)).toContain('\nSLACK_COMMAND=/go-links\n')
    const [, nextSteps = ''] = wizard.screen().split('What to do next')
    expect(nextSteps).toContain('/go-links https://example.com')
    expect(nextSteps).not.toContain('/shorten')
  })

  test('is /short if the user only presses Enter', async () => {
    const wizard = await start()
    await wizard.goes(`${UNTIL_COMMAND}=Yes`)
    await wizard.answers('Backhalf’s command:')
    await writes(wizard, `created ${BOTH_TOKENS}`)
    expect((await configuration()).command).toBe('/short')
  })

  test('is not asked for if it is set', async () => {
    const wizard = await start(`${base}SLACK_COMMAND=/go-links\n`)
    await wizard.goes('mode workspaces service place data created=No')
    await wizard.sees('- command: /go-links')
    expect(wizard.screen()).not.toContain(QUESTIONS.command)
  })
})

test('explains why an answer is refused, and asks again', async () => {
  const wizard = await start()
  await wizard.goes(`${QUICKLY} appToken`)
  await wizard.sees('✗ Enter it here.')
  await wizard.goes(`appToken=${BOT_TOKEN}`)
  await wizard.sees('✗ It must be a complete app-level token, which starts with xapp-')
  await wizard.goes('appToken=xapp-1-A0123456789-of-another-app')
  await wizard.sees('✗ Slack refuses xapp-…-app (invalid_auth).')
  await wizard.sees('with the scope connections:write')
  await wizard.goes(`appToken=${APP_TOKEN} botToken=xoxb-revoked-token-of-earlier`)
  await wizard.sees('✗ Slack refuses xoxb-…lier (invalid_auth).')
  await writes(wizard, `botToken=${BOT_TOKEN}`)
  expect((await configuration()).slack).toMatchObject({ appToken: APP_TOKEN, botToken: BOT_TOKEN })
})

test('keeps an answer that can’t be checked without a network, if the user says so', async () => {
  const wizard = await start(`SLACK_API_URL=http://127.0.0.1:${await freePort()}/\n`)
  await wizard.goes(`${HTTP} botToken=xoxb-not-checked`)
  await wizard.sees('? Not checked. Slack can’t be reached')
  await writes(wizard, 'next=Keep')
  expect((await configuration()).slack).toMatchObject({ botToken: 'xoxb-not-checked' })
})

test('checks an answer again on request', async () => {
  slack.failNext('auth.test', { error: 'internal_error' })
  const wizard = await start()
  await wizard.goes(`${QUICKLY} ${BOTH_TOKENS}`)
  await wizard.sees('? Not checked. Slack failed')
  await wizard.sees('Check again in a few minutes. https://status.slack.com')
  await wizard.goes('next=Check')
  await wizard.sees('✓ All 5 scopes of the manifest are granted.')
  await wizard.asks(QUESTIONS.write)
})

test('names the scopes that the token lacks, and takes another token', async () => {
  const manifest = projectManifest() as { oauth_config: { scopes: { bot: string[] } } }
  const { scopes } = manifest.oauth_config
  scopes.bot = scopes.bot.filter((scope) => scope !== 'files:write')
  const older = await startSlackWithSockets({ manifest })
  onTestFinished(() => older.close())
  const wizard = await start(`SLACK_API_URL=${older.apiUrl}\n`)
  await wizard.goes(`${QUICKLY} ${BOTH_TOKENS}`)
  await wizard.sees('✗ Not granted: files:write.')
  await wizard.goes(`next=Enter botToken=${BOT_TOKEN}`)
  await wizard.sees('✗ Not granted: files:write.')
  await wizard.goes('next=Keep')
  await wizard.asks(QUESTIONS.write)
})

describe('stopping', () => {
  test('Ctrl-C at any question changes nothing', async () => {
    const way = `${QUICKLY} ${BOTH_TOKENS} write`.split(' ')
    for (const [last, step] of way.entries()) {
      const wizard = await start()
      for (const answered of way.slice(0, last)) await wizard.goes(answered)
      await wizard.asks(QUESTIONS[step.split('=')[0] as keyof typeof QUESTIONS])
      wizard.presses(CTRL_C)
      await wizard.sees('Stopped. Nothing was changed.')
      await endsWithoutChange(wizard)
    }
  })

  test('“No” before the file is written changes nothing', async () => {
    const wizard = await start()
    await wizard.goes(`${QUICKLY} ${BOTH_TOKENS} write=n`)
    await endsWithoutChange(wizard)
  })

  test('Ctrl-C interrupts a check', async () => {
    slack.failNext('auth.test', { hangs: true })
    const wizard = await start()
    await wizard.goes(`${QUICKLY} ${BOTH_TOKENS}`)
    await wizard.sees('Checking the bot token')
    wizard.interrupt()
    await wizard.sees('Stopped. Nothing was changed.')
    await endsWithoutChange(wizard)
  })
})

describe('a .env file that exists', () => {
  const settings = (): string =>
    `# ours\n${base}MY_OWN=1\nSLACK_BOT_TOKEN=${BOT_TOKEN}\nSLACK_APP_TOKEN=${APP_TOKEN}\n`

  test('has the defaults, of which secrets are shown masked', async () => {
    const wizard = await start(settings())
    await wizard.goes(QUICKLY)
    await wizard.answers('App-level token (press Enter to keep xapp-…ests):')
    await wizard.sees('✓ Slack accepts xapp-…ests')
    await wizard.answers('Bot User OAuth Token (press Enter to keep xoxb-…ests):')
    await wizard.sees('✓ .env contains all of this already.')
    expect(await wizard.ended).toBe(0)
    expect(wizard.screen()).not.toContain(APP_TOKEN)
    expect(await readEnv(directory.path)).toBe(settings())
    expect(await readdir(directory.path)).toEqual(['.env'])
  })

  test('is kept as a copy, and loses settings that would take precedence', async () => {
    const wizard = await start(settings())
    await wizard.goes(`${HTTP} botToken`)
    await wizard.sees('SLACK_APP_TOKEN       (removed)')
    await writes(wizard)
    expect(await readEnv(directory.path)).toBe(
      `# ours\n${base}MY_OWN=1\nSLACK_BOT_TOKEN=${BOT_TOKEN}\nPUBLIC_URL=https://backhalf.invalid\nTRUST_PROXY=127.0.0.1\nSLACK_SIGNING_SECRET=${SIGNING_SECRET}\n`,
    )
    expect(await readFile(join(directory.path, '.env.backup'), 'utf8')).toBe(settings())
    expect((await configuration()).slack).toMatchObject({ mode: 'http' })
  })

  test('that has other invalid settings is pointed out', async () => {
    const wizard = await start(`${settings()}LOG_LEVEL=loud\n`)
    await wizard.goes(`${QUICKLY} appToken botToken`)
    await wizard.sees('! LOG_LEVEL: must be one of')
    expect(await wizard.ended).toBe(0)
  })
})

test('warns about a variable that takes precedence over .env', async () => {
  const wizard = await start(base, { SLACK_BOT_TOKEN: 'xoxb-elsewhere' })
  await wizard.goes(`${QUICKLY} ${BOTH_TOKENS}`)
  await wizard.sees('! SLACK_BOT_TOKEN is also set in your environment')
  await wizard.asks(QUESTIONS.write)
})

test('says at a server how to open its page there, before the first question', async () => {
  const wizard = await start(base, { SSH_CONNECTION: '198.51.100.7 51234 203.0.113.5 22' })
  await wizard.sees('ssh -L 3002:127.0.0.1:3002')
  await wizard.sees('@203.0.113.5')
  await wizard.asks(QUESTIONS.mode)
})

test('says nothing about a server at a desktop', async () => {
  const wizard = await start(base, { DISPLAY: ':0' })
  await wizard.asks(QUESTIONS.mode)
  expect(wizard.screen()).not.toContain('ssh')
})

describe('public addresses', () => {
  test('are checked at the port that the environment sets, which Backhalf will use', async () => {
    const port = String(await freePort())
    const wizard = await start(base, { SERVICE_PORT: port })
    await wizard.goes('mode workspaces service place=Everywhere')
    await wizard.sees(`It\nmust lead to 127.0.0.1:${port}`)
    await wizard.answers(QUESTIONS.address, `http://0.0.0.0:${port}`)
    await wizard.sees('✓ Backhalf responds at http://0.0.0.0')
  })

  test('are checked while the setup responds in place of Backhalf', async () => {
    const wizard = await start()
    const { SERVICE_PORT: port = '' } = parseEnv(base)
    await wizard.goes(`mode workspaces service place=Everywhere address=http://127.0.0.1:${port}`)
    await wizard.sees('This address works only on this machine.')
    wizard.presses(DELETE_LINE)
    // An address of this machine that is not among the loopback addresses.
    wizard.presses(`http://0.0.0.0:${port}\r`)
    await wizard.sees('✓ Backhalf responds at http://0.0.0.0')
    await wizard.goes('next=Keep')
    await wizard.answers(QUESTIONS.data, 'In /var')
    await wizard.answers(QUESTIONS.proxy, 'One on another')
    await wizard.answers('Its addresses or networks', '10.0.0.0/8')
    await writes(wizard, `command created ${BOTH_TOKENS}`)
    expect(await configuration()).toMatchObject({
      servicePublicUrl: `http://0.0.0.0:${port}`,
      databaseUrl: 'file:/var/lib/backhalf/backhalf.db',
      trustProxy: '10.0.0.0/8',
    })
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow()
  })

  test('must be https for Slack', async () => {
    const wizard = await start()
    await wizard.goes('mode=HTTP workspaces publicUrl=http://links.example.com')
    await wizard.sees('It must start with https://')
  })
})

test('sets up another link service, and cards for its links', async () => {
  const service = await startFakeLinkService(() => failure(401, 'UNAUTHORIZED'))
  onTestFinished(() => service.close())
  const wizard = await start()
  await wizard.goes('mode workspaces service=Another kind')
  await wizard.answers('The service’s address', `http://127.0.0.1:${await freePort()}`)
  await wizard.sees('✗ The link service can’t be reached at')
  await wizard.goes('next=Enter')
  await wizard.answers('The service’s address', service.baseUrl)
  await wizard.sees('✓ It responds at')
  await wizard.answers('The short links’ hostnames', 'go.example.com')
  await wizard.goes(`data command created ${BOTH_TOKENS}`)
  await wizard.sees('✓ All 7 scopes of the manifest are granted.')
  await writes(wizard)
  expect(await configuration()).toMatchObject({
    linkService: { kind: 'external', service: 'backhalf', baseUrl: service.baseUrl },
    unfurlDomains: ['go.example.com'],
  })
  expect(wizard.screen()).toContain('/shorten connect')
})

test('sets up a service of another kind', async () => {
  const shlink = await startFakeShlink()
  onTestFinished(() => shlink.close())
  const wizard = await start()
  await wizard.goes('mode workspaces service=Another kind=Shlink')
  await wizard.answers('The service’s address', shlink.baseUrl)
  await wizard.sees('✓ Shlink responds at')
  await wizard.answers('The short links’ hostnames', '')
  await writes(wizard, `data command created ${BOTH_TOKENS}`)
  expect(await configuration()).toMatchObject({
    linkService: { kind: 'external', service: 'shlink', baseUrl: shlink.baseUrl },
  })
})

test('sets up several workspaces, which install the app by OAuth', async () => {
  const oauth = createSlackOAuth({ ...OAUTH, now: Date.now })
  const many = await startSlackWithSockets({ oauth })
  onTestFinished(() => many.close())
  const wizard = await start(
    `${base.replace(/SLACK_API_URL=.*/, `SLACK_API_URL=${many.apiUrl}`)}SLACK_BOT_TOKEN=${BOT_TOKEN}\n`,
  )
  await wizard.goes(
    `mode workspaces=Several publicUrl=https://backhalf.invalid/ next=Keep service place data proxy=None operator=Example_Inc. supportEmail=help@example.com supportPage privacy=https://example.com/privacy command created appToken=${APP_TOKEN}`,
  )
  await wizard.answers('Client ID:', OAUTH.clientId)
  await wizard.answers('Client Secret:', 'of another app')
  await wizard.sees('✗ Slack refuses this (bad_client_secret).')
  await wizard.answers('Client ID:', OAUTH.clientId)
  await wizard.answers('Client Secret:', OAUTH.clientSecret)
  await wizard.sees('✓ Slack accepts the client ID')
  await writes(wizard)
  const { slack, operator } = await configuration()
  expect(slack).toMatchObject({
    mode: 'socket',
    oauth: { clientId: OAUTH.clientId, clientSecret: OAUTH.clientSecret },
  })
  expect(operator).toEqual({
    name: 'Example_Inc.',
    supportEmail: 'help@example.com',
    privacyContact: 'https://example.com/privacy',
  })
  const screen = wizard.screen()
  expect(screen).toContain('https://backhalf.invalid/slack/install')
  expect(screen).not.toContain(OAUTH.clientSecret)
  const { SLACK_STATE_SECRET: stateSecret = '' } = parseEnv(await readEnv(directory.path))
  expect(stateSecret).toHaveLength(44)
  expect(screen).not.toContain(stateSecret)
})

test.skipIf(postgresSkipped)('sets up PostgreSQL, with a new encryption key', async () => {
  const url = await createPostgresDatabase()
  const wizard = await start()
  await wizard.goes('mode workspaces service place')
  await wizard.answers(QUESTIONS.data, 'In PostgreSQL')
  await wizard.answers('Database URL:', 'file:data.db')
  await wizard.sees('✗ It must start with postgres://.')
  await wizard.answers('Database URL:', `${url}_missing`)
  await wizard.sees('✗ The database is not available')
  await wizard.goes('next=Enter')
  await wizard.answers('Database URL:', url)
  await wizard.sees('✓ PostgreSQL database')
  await writes(wizard, `command created ${BOTH_TOKENS}`)
  const config = await configuration()
  expect(config.databaseUrl).toBe(url)
  expect(config.encryptionKeys?.map((key) => key.length)).toEqual([32])
  const { ENCRYPTION_KEYS: key = '' } = parseEnv(await readEnv(directory.path))
  expect(wizard.screen()).not.toContain(key)
  expect(wizard.screen()).not.toContain(url)
})
