import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { createDoOnce, type DoOnce } from '../../../src/slack/platform/platform.ts'
import type { DeliveryStore } from '../../../src/workspaces/deliveries.ts'

const unavailable = (): Promise<never> => Promise.reject(new Error('unavailable'))

const startProcess = (store: Partial<DeliveryStore> = {}): DoOnce =>
  createDoOnce(
    { claim: async () => true, release: async () => undefined, ...store },
    pino({ level: 'silent' }),
  )

test('does work that no other process has claimed, and says so otherwise', async () => {
  expect(await startProcess()('share', async () => 'now')).toEqual({ value: 'now' })
  expect(await startProcess({ claim: async () => false })('share', unavailable)).toBeUndefined()
})

test('gives up work that failed, so that it can be done again', async () => {
  const release = vi.fn(async () => undefined)
  await expect(startProcess({ release })('share', unavailable)).rejects.toThrow('unavailable')
  expect(release).toHaveBeenCalledExactlyOnceWith('share')
})

test('does work even while the database is unavailable', async () => {
  const doOnce = startProcess({ claim: unavailable, release: unavailable })
  expect(await doOnce('share', async () => 'shared')).toEqual({ value: 'shared' })
})
