import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock, type Clock } from '../../../src/timing/clock.ts'
import { slackClientOptions } from '../../../src/slack/platform/slack-client.ts'
import {
  createSocketReceiver,
  type SocketReceiver,
} from '../../../src/slack/platform/socket-receiver.ts'
import { startSlackSocket, type SlackSocket } from '../../support/slack-socket.ts'

let slack: SlackSocket
let receiver: SocketReceiver
/** The pauses between tries, in milliseconds. A pause ends when the test says so. */
let pauses: number[]
let endPause: () => void
let now: number
let log: string

/** How long the receiver waits for a greeting, and for Slack to close the socket. Neither passes here. */
const TIMEOUTS = [30_000, 3_000]

const clock: Clock = {
  now: () => now,
  random: () => 1,
  timeout: (ms) => systemClock.timeout(ms),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('aborted')))
      if (TIMEOUTS.includes(ms)) return
      pauses.push(ms)
      endPause = resolve
    }),
}

beforeEach(async () => {
  slack = await startSlackSocket()
  pauses = []
  now = 0
  log = ''
  const logger = pino({ level: 'info' }, { write: (line) => (log += line) })
  receiver = createSocketReceiver({
    appToken: 'xapp-secret',
    clientOptions: slackClientOptions(slack.apiUrl, logger, systemClock),
    clock,
    logger,
  })
})
afterEach(async () => {
  await receiver.stop()
  await slack.close()
})

async function start(): Promise<void> {
  const greeted = slack.nextSocket()
  await receiver.start()
  await greeted
  now += 100_000 // The socket has been open for a while.
}

const dropSocket = (): void => slack.sockets.at(-1)?.terminate()

test.each([
  ['Slack closes the socket', () => slack.sockets.at(-1)?.close()],
  ['the socket breaks', dropSocket],
  [
    'Slack asks for another socket',
    () => slack.sockets.at(-1)?.send('{"type":"disconnect","reason":"refresh_requested"}'),
  ],
])('connects again without a pause when %s', async (_name, ends) => {
  await start()
  const next = slack.nextSocket()
  ends()
  await next
  await vi.waitUntil(() => receiver.isConnected())
  expect(pauses).toEqual([])
})

test('keeps trying with growing pauses while Slack refuses the token', async () => {
  await start()
  slack.fail('apps.connections.open', { error: 'invalid_auth' })
  dropSocket()
  for (const ms of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    await vi.waitUntil(() => pauses.length === 1)
    expect(pauses.shift()).toBe(ms)
    expect(receiver.isConnected()).toBe(false)
    endPause()
  }
  await vi.waitUntil(() => pauses.length === 1)
  expect(log).toContain('Slack does not accept SLACK_APP_TOKEN (invalid_auth).')
  expect(log).not.toContain('xapp-secret')
  slack.fail('apps.connections.open', undefined)
  endPause()
  await vi.waitUntil(() => receiver.isConnected())
})

test('waits as long as Slack asks for before the next try', async () => {
  await start()
  const headers = { 'retry-after': '90' }
  slack.fail('apps.connections.open', { status: 429, headers, times: 1 })
  dropSocket()
  await vi.waitUntil(() => pauses.length === 1)
  expect(pauses).toEqual([90_000])
  endPause()
  await vi.waitUntil(() => receiver.isConnected())
})

test('pauses if sockets keep closing at once', async () => {
  await start()
  const next = slack.nextSocket()
  dropSocket()
  await next
  await vi.waitUntil(() => receiver.isConnected())
  dropSocket()
  await vi.waitUntil(() => pauses.length === 1)
  expect(pauses).toEqual([1_000])
})

test.each(['null', '{', '{"type":"events_api"}', '{"type":"events_api","payload":null}', '7'])(
  'survives the message %s',
  async (message) => {
    await start()
    const [socket] = slack.sockets
    socket?.send(message)
    const ponged = new Promise((resolve) => socket?.once('pong', resolve))
    socket?.ping() // The app has read the message when it answers this.
    await ponged
    expect(receiver.isConnected()).toBe(true)
  },
)

test('stops while it waits for the next try', async () => {
  await start()
  slack.fail('apps.connections.open', { error: 'invalid_auth' })
  dropSocket()
  await vi.waitUntil(() => pauses.length === 1)
  await receiver.stop()
  const asked = slack.asked()
  endPause()
  expect(slack.asked()).toBe(asked)
})
