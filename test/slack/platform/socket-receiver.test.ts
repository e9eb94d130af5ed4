import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../src/timing/clock.ts'
import { slackClientOptions } from '../../../src/slack/platform/slack-client.ts'
import {
  createSocketReceiver,
  type SocketReceiver,
} from '../../../src/slack/platform/socket-receiver.ts'
import { createFakeClock, type FakeClock } from '../../support/platform.ts'
import { startSlackSocket, type SlackSocket } from '../../support/slack-socket.ts'

let slack: SlackSocket
let receiver: SocketReceiver
/** A pause between tries ends when the test says so. */
let clock: FakeClock
let log: string

beforeEach(async () => {
  slack = await startSlackSocket()
  clock = createFakeClock()
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
  clock.advance(100_000) // The socket has been open for a while.
}

const dropSocket = (): void => slack.sockets.at(-1)?.terminate()
const isConnectedAgain = () => expect.poll(() => receiver.isConnected()).toBe(true)
const isPausing = (ms: number) => expect.poll(() => clock.sleeping()).toContain(ms)

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
  await isConnectedAgain()
})

test('keeps trying with growing pauses while Slack refuses the token', async () => {
  await start()
  slack.fail('apps.connections.open', { error: 'invalid_auth' })
  dropSocket()
  for (const ms of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]) {
    await clock.endSleep(ms)
    expect(receiver.isConnected()).toBe(false)
  }
  await isPausing(60_000)
  expect(log).toContain('Slack does not accept SLACK_APP_TOKEN (invalid_auth).')
  expect(log).not.toContain('xapp-secret')
  slack.fail('apps.connections.open', undefined)
  await clock.endSleep(60_000)
  await isConnectedAgain()
})

test('waits as long as Slack asks for before the next try', async () => {
  await start()
  const headers = { 'retry-after': '90' }
  slack.fail('apps.connections.open', { status: 429, headers, times: 1 })
  dropSocket()
  await clock.endSleep(90_000)
  await isConnectedAgain()
})

test('pauses if sockets keep closing at once', async () => {
  await start()
  const next = slack.nextSocket()
  dropSocket()
  await next
  await isConnectedAgain()
  dropSocket()
  await isPausing(1_000)
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
  await isPausing(1_000)
  await receiver.stop()
  expect(clock.sleeping()).not.toContain(1_000)
})
