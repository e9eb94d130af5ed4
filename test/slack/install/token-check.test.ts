import { WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { systemClock, type Clock } from '../../../src/timing/clock.ts'
import { authorizeOneWorkspace } from '../../../src/slack/install/authorize.ts'
import { slackClientOptions } from '../../../src/slack/platform/slack-client.ts'
import {
  startSlackSocket,
  type SlackFailure,
  type SlackSocket,
} from '../../support/slack-socket.ts'

let slack: SlackSocket
beforeAll(async () => {
  slack = await startSlackSocket()
})
afterAll(() => slack.close())

let log = ''
const logger = pino({ level: 'warn' }, { write: (line) => (log += line) })

/**
 * Authorizes as the start does. Slack fails until the app has waited a few times.
 *
 * @returns how long it waited, in milliseconds
 */
async function start(failure: SlackFailure, failures = 1): Promise<number[]> {
  slack.fail('auth.test', failure)
  const waits: number[] = []
  const clock: Clock = {
    now: () => 0,
    random: () => 0,
    timeout: (ms) => systemClock.timeout(ms),
    sleep: async (ms) => {
      waits.push(ms)
      if (waits.length === failures) slack.fail('auth.test', undefined)
    },
  }
  const client = new WebClient(undefined, {
    ...slackClientOptions(slack.apiUrl, logger, systemClock),
    retryConfig: { retries: 0 },
  })
  await authorizeOneWorkspace(client, 'xoxb-secret', { clock, logger })
  return waits
}

test('waits as long as Slack asks if it is rate-limiting at the start', async () => {
  const failure = { status: 429, headers: { 'retry-after': '90' } }
  expect(await start(failure, 2)).toEqual([90_000, 90_000])
})

test('pauses longer and longer, up to a minute, while Slack fails', async () => {
  const waits = await start({ error: 'internal_error' }, 8)
  // The clock’s random number makes each pause half as long.
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
})

test.each([
  [{ error: 'fatal_error' }, 'Slack failed (fatal_error).'],
  [{ status: 502 }, 'Slack failed (HTTP status 502).'],
  [{ status: 429, headers: { 'retry-after': '9' } }, 'Slack is rate-limiting the app.'],
])('logs why it keeps trying: %j', async (failure, reason) => {
  await start(failure)
  expect(log).toContain(reason)
  expect(log).not.toContain('xoxb-secret')
})

test('asks Slack every minute about the token, and reports when Slack refuses and accepts it', async () => {
  const endPause: (() => void)[] = []
  const pauses: number[] = []
  const problems: (string | undefined)[] = []
  const clock: Clock = {
    ...systemClock,
    random: () => 1,
    sleep: (ms) => new Promise((resolve) => endPause.push(resolve) && pauses.push(ms)),
  }
  /** Waits for the app to pause, lets Slack answer differently, and ends the pause. */
  const afterPause = async (failure?: SlackFailure): Promise<void> => {
    await vi.waitUntil(() => endPause.length === 1)
    slack.fail('auth.test', failure)
    endPause.pop()?.()
  }
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  const client = new WebClient(undefined, slackClientOptions(slack.apiUrl, logger, systemClock))
  slack.scopes = 'commands,links:read'
  const authorize = await authorizeOneWorkspace(client, 'xoxb-secret', {
    clock,
    logger,
    stopping: stopping.signal,
    onSlackProblem: (_variable, problem) => problems.push(problem),
  })
  const scopes = async (): Promise<unknown> =>
    (await authorize({ teamId: 'T1', enterpriseId: undefined, isEnterpriseInstall: false }))[
      'scopes'
    ]
  expect(await scopes()).toEqual(['commands', 'links:read'])
  slack.scopes = 'commands,links:read,links:write'
  await afterPause({ error: 'token_revoked' })
  await afterPause({ error: 'token_revoked' })
  await afterPause()
  await expect.poll(scopes).toContain('links:write')
  expect(pauses.slice(0, 3)).toEqual([60_000, 1_000, 2_000])
  const refusal =
    'Slack does not accept SLACK_BOT_TOKEN (token_revoked). npm run doctor says what to do.'
  expect(problems).toEqual([undefined, refusal, refusal, undefined])
})
