import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from './support/free-port.ts'
import { makeTempDir } from './support/temp-dir.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')

let directory: Awaited<ReturnType<typeof makeTempDir>>
let children: ChildProcessWithoutNullStreams[]

beforeEach(async () => {
  directory = await makeTempDir()
  children = []
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await directory.remove()
})

/** Runs main.ts as npm's scripts do, in an empty directory and an empty environment. */
function run(args: string[], env: Record<string, string> = {}): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], {
    cwd: directory.path,
    env,
  })
  children.push(child)
  return child
}

async function outcome(args: string[], env: Record<string, string> = {}) {
  const child = run(args, env)
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (child.exitCode === null) await once(child, 'exit')
  return { code: child.exitCode, out, err }
}

/** Resolves with what was printed up to then, once the words are there. */
async function prints(child: ChildProcessWithoutNullStreams, words: string): Promise<string> {
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += String(chunk)
    if (printed.includes(words)) return printed
  }
  throw new Error(`It never printed “${words}”, but:\n${printed}${await text(child.stderr)}`)
}

const ports = async () => ({
  PORT: String(await freePort()),
  SERVICE_PORT: String(await freePort()),
})

test('a bad start names everything that is wrong, and exits with 1', async () => {
  const { code, out, err } = await outcome([], { PORT: 'high', SLACK_BOT_TOKEN: 'hunter2' })
  expect(code).toBe(1)
  expect(out).toBe('')
  expect(err).toContain('PORT: must be a port number')
  expect(err).toContain('SLACK_BOT_TOKEN: must be a bot token')
  expect(err).not.toContain('hunter2')
  expect(err).not.toContain('    at ')
})

test('without any configuration it opens the playground, and a signal ends it', async () => {
  const env = await ports()
  const child = run([], env)
  const printed = await prints(child, '/playground/')
  expect(printed).toContain(`http://127.0.0.1:${env.PORT}/playground/`)
  expect((await fetch(`http://127.0.0.1:${env.PORT}/playground/`)).status).toBe(200)
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(0)
})

test('a setting in .env whose name is written wrongly is pointed out, by its name alone', async () => {
  await writeFile(
    join(directory.path, '.env'),
    'SLACK_BOT_TOKN=xoxb-hunter2\nSLACK_BOT_TOKEN_FILE=/nowhere\nPORT=high\n',
  )
  const { err } = await outcome([])
  expect(err).toContain('.env: SLACK_BOT_TOKN is none of the settings')
  expect(err.match(/none of the settings/g)).toHaveLength(1)
  expect(err).not.toContain('hunter2')
})

test('a port that is taken is said to be, with the variable that chooses another', async () => {
  const env = await ports()
  await prints(run([], env), '/playground/')
  const second = await outcome([], { ...env, SERVICE_PORT: String(await freePort()) })
  expect(second.code).toBe(1)
  expect(second.err).toContain(`Port ${env.PORT} on 127.0.0.1 is in use already`)
  expect(second.err).toContain('PORT')
})

test('the service alone answers, without any of Slack’s variables', async () => {
  const { SERVICE_PORT } = await ports()
  await prints(run(['service'], { SERVICE_PORT }), 'The link service runs at')
  const answer = await fetch(`http://127.0.0.1:${SERVICE_PORT}/api/v1/shortlinks/get_shortlinks`)
  expect(answer.status).toBe(401)
})

test('a key that the administration makes works at the service', async () => {
  const { SERVICE_PORT } = await ports()
  const organization = await outcome(['admin', 'orgs', 'add', 'Team', '--json'])
  expect(organization).toMatchObject({ code: 0, err: '' })
  const made = await outcome(['admin', 'keys', 'create', '--name', 'Test', '--org', 'Team'])
  expect(made).toMatchObject({ code: 0, err: '' })
  const [apiKey = ''] = /bh_\w+/.exec(made.out) ?? []
  await prints(run(['service'], { SERVICE_PORT }), 'The link service runs at')
  const answer = await fetch(`http://127.0.0.1:${SERVICE_PORT}/api/v1/shortlinks/get_shortlinks`, {
    headers: { 'x-api-key': apiKey },
  })
  expect(answer.status).toBe(200)
})

test('the manifest is printed for an address or for Socket Mode, and for nothing else', async () => {
  const url = await outcome(['manifest', '--url', 'https://links.example.org'])
  expect(url).toMatchObject({ code: 0, err: '' })
  expect(url.out).toContain('https://links.example.org/slack/events')
  const PUBLIC_URL = 'https://links.example.net'
  const socket = await outcome(['manifest', '--socket'], { PUBLIC_URL })
  expect(socket.out).toContain('socket_mode_enabled: true')
  expect(socket.out).toContain(`- ${PUBLIC_URL}/slack/oauth_redirect`)
  for (const args of [[], ['--help'], ['--url', 'http://links.example.org'], ['--url', 'x y']]) {
    const refused = await outcome(['manifest', ...args])
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(refused.err).toContain('--url https://')
  }
})

test('a command that is not there is answered with those that are', async () => {
  const { code, err } = await outcome(['strat'])
  expect(code).toBe(2)
  expect(err).toContain('npm run service')
})

test('with OAuth it says where workspaces install the app, and asks Slack for nothing yet', async () => {
  const env = await ports()
  const child = run([], {
    ...env,
    SLACK_CLIENT_ID: '1234.5678',
    SLACK_CLIENT_SECRET: 'client secret',
    SLACK_STATE_SECRET: 'a secret for the state',
    SLACK_SIGNING_SECRET: 'signing secret',
  })
  const printed = await prints(child, '/slack/install')
  expect(printed).toContain(`Workspaces install it at http://127.0.0.1:${env.PORT}/slack/install`)
  expect((await fetch(`http://127.0.0.1:${env.PORT}/slack/install`)).status).toBe(200)
})
