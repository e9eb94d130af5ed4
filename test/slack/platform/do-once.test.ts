import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { createDoOnce, type DoOnce } from '../../../src/slack/platform/platform.ts'
import type { DeliveryStore } from '../../../src/workspaces/deliveries.ts'
import { createFakeClock } from '../../support/platform.ts'

const unavailable = (): Promise<never> => Promise.reject(new Error('unavailable'))

function startProcess(store: Partial<DeliveryStore> = {}): DoOnce {
  return createDoOnce({
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

test('does work that no other process does or has done, and says so otherwise', async () => {
  expect(await startProcess()('share', async () => 'now')).toEqual({ state: 'done', value: 'now' })
  for (const state of ['under_way', 'done_before'] as const) {
    expect(await startProcess({ claim: async () => state })('share', unavailable)).toEqual({
      state,
    })
  }
})

test('gives up work that failed, so that it can be done again', async () => {
  const release = vi.fn(async () => undefined)
  const finish = vi.fn(async () => undefined)
  await expect(startProcess({ release, finish })('share', unavailable)).rejects.toThrow(
    'unavailable',
  )
  expect(release).toHaveBeenCalledExactlyOnceWith('share')
  expect(finish).not.toHaveBeenCalled()
})

test('does work even while the database is unavailable', async () => {
  const doOnce = startProcess({ claim: unavailable, finish: unavailable, release: unavailable })
  expect(await doOnce('share', async () => 'shared')).toEqual({ state: 'done', value: 'shared' })
})
