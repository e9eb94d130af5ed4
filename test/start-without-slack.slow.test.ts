import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock, type Clock } from '../src/timing/clock.ts'
import type { Config } from '../src/config/config.ts'
import { start } from '../src/start.ts'
import type { Running } from '../src/start/start-context.ts'
import { createApiKey } from './support/admin.ts'
import { testConfig } from './support/app.ts'
import { freePort } from './support/free-port.ts'
import { OAUTH } from './support/installing.ts'
import { call, shorten } from './support/service-calls.ts'
import { startSlackSocket, type SlackSocket } from './support/slack-socket.ts'
import { makeTempDir } from './support/temp-dir.ts'

/** The first pauses between tries, in milliseconds. A pause ends when the test says so. */
const PAUSES = [1_000, 2_000, 4_000, 8_000]

let directory: Awaited<ReturnType<typeof makeTempDir>>
let slack: SlackSocket | undefined
let slackPort: number
let running: Running | undefined
let pauses: number[]
let endPause: () => void
let log: string

const clock: Clock = {
  ...systemClock,
  random: () => 1,
  sleep: (ms, signal) => {
    if (!signal) return nextTurn() // Before a failed request is sent again.
    if (!PAUSES.includes(ms)) return systemClock.sleep(ms, signal)
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')))
      pauses.push(ms)
      endPause = resolve
    })
  },
}

beforeEach(async () => {
  directory = await makeTempDir()
  slackPort = await freePort()
  slack = undefined
  running = undefined
  pauses = []
  log = ''
})
afterEach(async () => {
  await running?.stop()
  await slack?.close()
  await directory.remove()
})

type Tokens = { botToken: string } | { oauth: typeof OAUTH }
const HTTP = { mode: 'http', signingSecret: 'a signing secret' } as const
const SOCKET = { mode: 'socket', appToken: 'xapp-secret' } as const
const ONE_WORKSPACE = { botToken: 'xoxb-secret' }

async function startApp(source: typeof HTTP | typeof SOCKET, tokens: Tokens): Promise<Config> {
  const slack = { ...source, ...tokens, apiUrl: `http://127.0.0.1:${slackPort}/api/` }
  const config: Config = { ...(await testConfig(directory.path)), slack }
  const logger = pino({ level: 'info' }, { write: (line) => (log += line) })
  running = await start(config, logger, clock)
  return config
}

const nextPause = () => expect.poll(() => pauses).toHaveLength(1)

/** Ends one pause after another. @param beforeLast lets the last try succeed */
async function endPauses(beforeLast: () => unknown): Promise<void> {
  for (const ms of PAUSES) {
    await nextPause()
    expect(pauses.shift()).toBe(ms)
    if (ms === PAUSES.at(-1)) await beforeLast()
    endPause()
  }
  await running?.waitingForSlack
  await expect.poll(() => statusOf('/readyz')).toBe(200)
}

async function statusOf(path: string): Promise<number> {
  return (await call(`${running?.appUrl ?? ''}${path}`)).status
}

test.each([
  ['HTTP', HTTP, ONE_WORKSPACE],
  ['Socket Mode', SOCKET, ONE_WORKSPACE],
  ['Socket Mode and OAuth', SOCKET, { oauth: OAUTH }],
] as const)(
  'with %s, serves links until Slack can be reached, and is ready then',
  async (_, source, tokens) => {
    const { databaseUrl } = await startApp(source, tokens)
    expect(running?.waitingForSlack).toBeDefined()
    expect(await statusOf('/healthz')).toBe(200)
    expect(await statusOf('/readyz')).toBe(503)

    const apiKey = await createApiKey({ databaseUrl })
    const url = await shorten({ baseUrl: running?.serviceUrl ?? '', apiKey }, 'x')
    expect((await call(url)).headers.get('location')).toBe('https://example.com/x')

    await endPauses(async () => (slack = await startSlackSocket(slackPort)))
    expect(log).toContain(`Slack can’t be reached at http://127.0.0.1:${slackPort}/api/.`)
    expect(log).toContain('the app can’t answer Slack; it keeps trying')
    expect(log).toContain('Slack accepts the token; the app can answer again')
    expect(log).not.toMatch(/xoxb-secret|xapp-secret/)
  },
)

test.each([
  ['a bot token', HTTP, 'auth.test', 'SLACK_BOT_TOKEN'],
  ['an app-level token', SOCKET, 'apps.connections.open', 'SLACK_APP_TOKEN'],
])(
  'serves links while Slack refuses %s, says so, and answers once Slack accepts it',
  async (_name, source, method, variable) => {
    slack = await startSlackSocket(slackPort)
    slack.fail(method, { error: 'invalid_auth' })
    await startApp(source, ONE_WORKSPACE)
    // On a busy machine, the first check of the database can take longer than is allowed.
    const service = async () => (await call(`${running?.serviceUrl ?? ''}/readyz`)).status
    await expect.poll(service).toBe(200)
    await endPauses(async () => {
      const { status, body } = await call(`${running?.appUrl ?? ''}/readyz`)
      const reason = `Slack does not accept ${variable} (invalid_auth). npm run doctor says what to do.`
      expect([status, body]).toEqual([503, { status: 'not ready', reason }])
      slack?.fail(method, undefined)
    })
  },
)

test.each([
  ['HTTP', HTTP],
  ['Socket Mode', SOCKET],
])('with %s, stops at once while it waits for Slack', async (_name, source) => {
  await startApp(source, ONE_WORKSPACE)
  await nextPause()
  await running?.stop()
  await running?.waitingForSlack
  expect(pauses).toHaveLength(1)
})
