import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { getList } from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

let service: RunningService
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.close())

const limitTo = (perMinute: number | null) =>
  service.database.db.updateTable('api_keys').set({ requests_per_minute: perMinute }).execute()

test('a key is not locked out if the clock is set back', async () => {
  await limitTo(1)
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  expect((await getList(service)).status).toBe(200)
  vi.setSystemTime(Date.now() - 86_400_000)
  const refused = await getList(service)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  vi.advanceTimersByTime(60_000)
  expect((await getList(service)).status).toBe(200)
})

test('the key of our own app is not limited', async () => {
  const statuses = new Set<number>()
  for (let at = 0; at < 605; at++) statuses.add((await getList(service)).status)
  expect([...statuses]).toEqual([200])
  await limitTo(null) // As any other key.
  expect((await getList(service)).headers.get('ratelimit-limit')).toBe('600')
})
