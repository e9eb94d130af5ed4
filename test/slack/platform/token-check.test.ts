import { WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock, type Clock } from '../../../src/client/clock.ts'
import { authorizeOneWorkspace } from '../../../src/slack/install/authorize.ts'
import { slackClientOptions } from '../../../src/slack/platform/slack-client.ts'
import { startSlackSocket, type SlackSocket } from '../../support/slack-socket.ts'

let slack: SlackSocket
beforeAll(async () => {
  slack = await startSlackSocket()
})
afterAll(() => slack.close())

const logger = pino({ level: 'silent' })

/** Authorizes as the start does. @returns how long it waited, in milliseconds */
async function start(apiUrl = slack.apiUrl): Promise<number[]> {
  const waits: number[] = []
  const clock: Clock = {
    now: () => 0,
    random: () => 0,
    timeout: (ms) => systemClock.timeout(ms),
    sleep: async (ms) => void waits.push(ms),
  }
  const client = new WebClient(undefined, {
    ...slackClientOptions(apiUrl, logger, systemClock),
    retryConfig: { retries: 0 },
  })
  await authorizeOneWorkspace(client, 'xoxb-secret', { clock, logger })
  return waits
}

test('waits until a rate limit at the start is over', async () => {
  slack.fail('auth.test', { status: 429, headers: { 'retry-after': '30' }, times: 2 })
  expect(await start()).toEqual([30_000, 30_000])
})

test.each([
  [
    'a rate limit that lasts too long',
    { status: 429, headers: { 'retry-after': '600' } },
    'Slack limits the app’s requests. Try again in 600 seconds.',
  ],
  [
    'a rate limit that comes again and again',
    { status: 429, headers: { 'retry-after': '50' } },
    'Slack limits the app’s requests. Try again in 50 seconds.',
  ],
  [
    'an invalid token',
    { error: 'invalid_auth' },
    'Slack does not accept SLACK_BOT_TOKEN (invalid_auth).',
  ],
  [
    'an error of Slack',
    { error: 'fatal_error' },
    'Slack has a problem of its own (fatal_error). Try again in a minute.',
  ],
  [
    'an HTTP error of Slack',
    { status: 502 },
    'Slack has a problem of its own (HTTP status 502). Try again in a minute.',
  ],
])('gives up with a clear message after %s', async (_name, failure, message) => {
  slack.fail('auth.test', failure)
  await expect(start()).rejects.toThrow(new Error(message))
  slack.fail('auth.test', undefined)
})

test('says that Slack can’t be reached only if it can’t', async () => {
  const closed = await startSlackSocket()
  await closed.close()
  await expect(start(closed.apiUrl)).rejects.toThrow(`Slack can’t be reached at ${closed.apiUrl}`)
})

test('asks Slack from time to time which scopes the token has', async () => {
  let now = 0
  const clock: Clock = { ...systemClock, now: () => now, sleep: async () => undefined }
  const client = new WebClient(undefined, slackClientOptions(slack.apiUrl, logger, systemClock))
  slack.scopes = 'commands,links:read'
  const authorize = await authorizeOneWorkspace(client, 'xoxb-secret', { clock, logger })
  const scopes = async (): Promise<unknown> =>
    (await authorize({ teamId: 'T1', enterpriseId: undefined, isEnterpriseInstall: false }))[
      'scopes'
    ]
  expect(await scopes()).toEqual(['commands', 'links:read'])
  slack.scopes = 'commands,links:read,links:write'
  const asked = slack.nextCall('auth.test')
  now += 11 * 60_000
  expect(await scopes()).toEqual(['commands', 'links:read'])
  await asked
  await expect.poll(scopes).toContain('links:write')
})
