import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { createDeliveries, type Deliveries } from '../../../src/slack/platform/deliveries.ts'
import type { DeliveryStore } from '../../../src/workspaces/deliveries.ts'
import { createFakeClock } from '../../support/platform.ts'

const away = (): Promise<never> => Promise.reject(new Error('away'))

function startProcess(store: Partial<DeliveryStore> = {}): Deliveries {
  return createDeliveries({
    store: {
      claim: async () => 'claimed',
      finish: async () => undefined,
      release: async () => undefined,
      ...store,
    },
    clock: createFakeClock(),
    logger: pino({ level: 'silent' }),
  })
}

const command = (id: string) => ({
  body: { command: '/shorten', trigger_id: id },
  ack: vi.fn(async (_response?: string) => undefined),
})

test('works on a request once, and acknowledges a repeat like the first delivery', async () => {
  const deliveries = startProcess()
  const [first, inFlight, later] = [command('1'), command('1'), command('1')]
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const work = vi.fn(async (ack: (response: string) => Promise<void>) => {
    await promise
    await ack('the outcome')
  })
  const both = [deliveries.once(first, work), deliveries.once(inFlight, work)]
  resolve(undefined)
  await Promise.all(both)
  await deliveries.once(later, work)
  expect(work).toHaveBeenCalledOnce()
  for (const { ack } of [first, inFlight, later]) {
    expect(ack.mock.calls).toEqual([['the outcome']])
  }
})

test('does not acknowledge a repeat of what was not acknowledged', async () => {
  const deliveries = startProcess()
  const [first, repeat] = [command('1'), command('1')]
  await expect(deliveries.once(first, away)).rejects.toThrow('away')
  await deliveries.once(repeat, away)
  expect(repeat.ack).not.toHaveBeenCalled()
})

test('takes requests with other IDs, or without any, for other requests', async () => {
  const deliveries = startProcess()
  const work = vi.fn(async () => undefined)
  const event = { body: { event_id: 'Ev1', trigger_id: '1' }, ack: async () => undefined }
  const unknown = { body: {}, ack: async () => undefined }
  for (const delivery of [command('1'), command('2'), event, unknown, unknown]) {
    await deliveries.once(delivery, work)
  }
  expect(work).toHaveBeenCalledTimes(5)
})

test('does work that no other process does or has done, and says so otherwise', async () => {
  expect(await startProcess().doOnce('share', async () => 'now')).toEqual({
    state: 'done',
    value: 'now',
  })
  for (const state of ['under_way', 'done_before'] as const) {
    expect(await startProcess({ claim: async () => state }).doOnce('share', away)).toEqual({
      state,
    })
  }
})

test('gives up work that failed, so that it can be done again', async () => {
  const release = vi.fn(async () => undefined)
  const finish = vi.fn(async () => undefined)
  await expect(startProcess({ release, finish }).doOnce('share', away)).rejects.toThrow('away')
  expect(release).toHaveBeenCalledExactlyOnceWith('share')
  expect(finish).not.toHaveBeenCalled()
})

test('does work also while the database is away', async () => {
  const deliveries = startProcess({ claim: away, finish: away, release: away })
  expect(await deliveries.doOnce('share', async () => 'shared')).toEqual({
    state: 'done',
    value: 'shared',
  })
})
