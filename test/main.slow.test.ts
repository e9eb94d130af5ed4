import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { expect, onTestFinished, vi } from 'vitest'
import { freePorts, withProgram } from './support/fixtures.ts'
import { freePort } from './support/free-port.ts'
import { outputWith } from './support/program.ts'
import { getList } from './support/service-calls.ts'
import { startSlackSocket } from './support/slack-socket.ts'

// Every test starts processes, and each can take several seconds on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

const { test, directory, at, run, outcome } = withProgram()

test('ends at once on a signal while it waits for the database, also as process 1 of a container', async () => {
  const DATABASE_URL = `postgres://nobody@127.0.0.1:${await freePort()}/none`
  const child = run(['service'], { ...(await freePorts()), DATABASE_URL })
  await outputWith(child, 'trying again')
  child.kill('SIGTERM')
  // Only a handler of its own ends it with an exit code. Process 1 ignores all other signals.
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('greets a person at a terminal with the address of the playground', async () => {
  const env = await freePorts()
  const child = run([], { ...env, LOG_FORMAT: 'pretty' })
  expect(await outputWith(child, 'there.\n\n')).toContain(`
Backhalf is running. Try it in a simulated Slack workspace in your browser:

    http://127.0.0.1:${env.PORT}/playground/

Type /shorten https://example.com/some/long/page there.

`)
})

test('runs the service alone, which accepts a key that the admin command has created', async () => {
  const { SERVICE_PORT } = await freePorts()
  const { code, out, err } = await outcome(['admin', 'keys', 'create', '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const { key = '' } = JSON.parse(out) as Record<string, string>
  await outputWith(run(['service'], { SERVICE_PORT }), 'The link service is running at')
  const baseUrl = `http://127.0.0.1:${SERVICE_PORT}`
  expect((await getList({ baseUrl, apiKey: key })).status).toBe(200)
  expect((await getList({ baseUrl, apiKey: 'bh_other' })).status).toBe(401)
})

test('checks no link service without a terminal or --yes, and takes the key from a file', async () => {
  const args = ['conformance', '--base-url', 'http://127.0.0.1:1', '--domain', 'go']
  const path = at('key')
  await writeFile(path, 'bh_hunter2\n')
  const env = { SHORTLINK_API_KEY_FILE: path }
  const unasked = await outcome(args, env)
  expect(unasked).toMatchObject({ code: 2, out: '' })
  expect(unasked.err).toContain('Add --yes')
  const unreachable = await outcome([...args, '--yes'], env)
  expect(unreachable).toMatchObject({ code: 1, out: '' })
  expect(unreachable.err).toContain('no connection (ECONNREFUSED)')
})

test('prints the installation page with OAuth, without calling Slack', async () => {
  const env = await freePorts()
  const oauth = {
    SLACK_CLIENT_ID: '1234.5678',
    SLACK_CLIENT_SECRET: 'client secret',
    SLACK_STATE_SECRET: 'a secret for the state',
    SLACK_SIGNING_SECRET: 'signing secret',
  }
  const url = `http://127.0.0.1:${env.PORT}`
  await outputWith(
    run([], { ...env, ...oauth }),
    `"Backhalf is running at ${url} and answers Slack. Workspaces install it at ${url}/slack/install"`,
  )
  const install = await fetch(`${url}/slack/install`, { redirect: 'manual' })
  expect(install.status).toBe(302)
})

test('stays up while Slack refuses the token, and responds to Slack once it accepts the token', async () => {
  const slack = await startSlackSocket()
  onTestFinished(() => slack.close())
  slack.fail('auth.test', { error: 'invalid_auth' })
  const env = { ...(await freePorts()), SLACK_API_URL: slack.apiUrl }
  const child = run([], { ...env, SLACK_BOT_TOKEN: 'xoxb-1234567890', SLACK_SIGNING_SECRET: 's' })
  await outputWith(child, 'but can’t answer Slack yet. The log says why.')
  const readiness = async (port: string) => (await fetch(`http://127.0.0.1:${port}/readyz`)).status
  expect(await readiness(env.PORT)).toBe(503)
  await expect.poll(() => readiness(env.SERVICE_PORT)).toBe(200)
  slack.fail('auth.test', undefined)
  await expect.poll(() => readiness(env.PORT)).toBe(200)
})

test('refuses a port in use', async () => {
  const env = await freePorts()
  await outputWith(run([], env), '/playground/')
  for (const [variable, command] of [
    ['PORT', 'start'],
    ['SERVICE_PORT', 'start'],
    ['SERVICE_PORT', 'service'],
  ] as const) {
    const second = await outcome([command], { ...(await freePorts()), [variable]: env[variable] })
    expect(second.code).toBe(1)
    expect(second.err).toContain(`Port ${env[variable]} on 127.0.0.1 is already in use`)
  }
})

test('tells systemd when it is ready', async () => {
  const script = `#!/bin/sh\necho "$@" "$NOTIFY_SOCKET" >'${at('told')}'\n`
  await writeFile(at('systemd-notify'), script, { mode: 0o755 })
  run(['service'], { ...(await freePorts()), PATH: directory.path, NOTIFY_SOCKET: '/run/notify' })
  const told = () => readFile(at('told'), 'utf8').catch(() => '')
  await expect.poll(told, { timeout: 60_000 }).toBe('--ready /run/notify\n')
})

test.each([
  [['--url', 'https://go.example'], {}, 'https://go.example/slack/events'],
  [['--socket'], { SLACK_COMMAND: '/go-links' }, '- command: /go-links'],
  [['--socket'], { PUBLIC_URL: 'https://go.example' }, '- https://go.example/slack/oauth_redirect'],
])('prints the manifest for %j and %j', async (args, env, line) => {
  const manifest = await outcome(['manifest', ...args], env)
  expect(manifest).toMatchObject({ code: 0, err: '' })
  expect(manifest.out).toContain(line)
})

test.each<[args: string[], code: number, out: string, err: string]>([
  [['manifest', '--help'], 0, 'npm run manifest -- --url https://HOST', ''],
  [['start', '-h'], 0, 'npm run manifest -- --url https://HOST', ''],
  [['--help'], 0, 'npm run manifest -- --url https://HOST', ''],
  [['strat'], 2, '', 'npm run service'],
  // Slack would not call this address.
  [['manifest', '--url', 'http://links.example.org'], 2, '', '--url https://'],
])('explains itself with %j, and exits with %i', async (args, code, out, err) => {
  const ended = await outcome(args)
  expect(ended.code).toBe(code)
  expect(ended[code === 0 ? 'out' : 'err']).toContain(out + err)
  expect(ended[code === 0 ? 'err' : 'out']).toBe('')
})
