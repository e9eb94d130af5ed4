import type { Receiver, ReceiverEvent } from '@slack/bolt'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { createInFlightTasks, type InFlightTasks } from '../../../src/http/in-flight-tasks.ts'
import { slackMetrics, type SlackMetrics } from '../../../src/metrics/app-metrics.ts'
import { createDefinitions } from '../../../src/metrics/definitions.ts'
import { BoltApp } from '../../../src/slack/platform/bolt-app.ts'
import { boltLogger } from '../../../src/slack/platform/slack-client.ts'

const logger = pino({ level: 'silent' })
const receiver: Receiver = {
  init: () => undefined,
  start: async () => ({}),
  stop: async () => ({}),
}

/** An app whose only listener is for `/shorten`. */
function startProcess(
  listener: (ack: (response?: string) => Promise<void>) => Promise<void>,
  {
    tasks = createInFlightTasks(logger),
    metrics,
  }: { tasks?: InFlightTasks; metrics?: SlackMetrics } = {},
) {
  const authorize = async () => ({ botToken: 'xoxb-1', botId: 'B1', botUserId: 'UB' })
  const options = { receiver, authorize, convoStore: false, logger: boltLogger(logger) } as const
  const app = new BoltApp(options, { logger, tasks }, metrics)
  app.error(async () => undefined)
  app.command('/shorten', ({ ack }) => listener(ack))
  return app
}

function command(id: object) {
  const ack = vi.fn(async (_response?: string) => undefined)
  const body = { command: '/shorten', text: '', team_id: 'T1', user_id: 'U1', ...id }
  return { body, ack } satisfies ReceiverEvent
}

test('handles a request once, and acknowledges its repeats by their ID, also while it is in flight', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const listener = vi.fn(async (ack: () => Promise<void>) => {
    await promise
    await ack()
  })
  const app = startProcess(listener)
  const [first, inFlight] = [command({ trigger_id: '1' }), command({ trigger_id: '1' })]
  const both = [app.processEvent(first), app.processEvent(inFlight)]
  resolve(undefined)
  await Promise.all(both)
  const later = command({ trigger_id: '1' })
  await app.processEvent(later)
  expect(listener).toHaveBeenCalledOnce()
  for (const { ack } of [first, inFlight, later]) {
    expect(ack.mock.calls.map(([response]) => response)).toEqual([undefined])
  }

  const others = [{ trigger_id: '2' }, { event_id: 'E', trigger_id: '1' }, {}, {}]
  for (const id of others) await app.processEvent(command(id))
  expect(listener).toHaveBeenCalledTimes(1 + others.length)
})

test('measures the answer until the work in the background has ended', async () => {
  const tasks = createInFlightTasks(logger)
  const metrics = slackMetrics(createDefinitions())
  const answered = vi.spyOn(metrics.answers, 'observe')
  const { promise: redrawn, resolve } = Promise.withResolvers<undefined>()
  const listener = async (ack: () => Promise<void>): Promise<void> => {
    await ack()
    tasks.runInBackground(() => redrawn, 'the message could not be drawn again')
  }
  await startProcess(listener, { tasks, metrics }).processEvent(command({}))
  expect(answered).not.toHaveBeenCalled()
  resolve(undefined)
  await expect.poll(() => answered.mock.calls).toHaveLength(1)
  expect(answered).toHaveBeenCalledExactlyOnceWith({ kind: 'command' }, expect.any(Number))
})
