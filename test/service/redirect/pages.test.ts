import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

let service: RunningService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

test.each([
  ['/', 200, 'text/html; charset=utf-8'],
  ['/favicon.ico', 200, 'image/svg+xml'],
  ['/favicon.svg', 200, 'image/svg+xml'],
  ['/robots.txt', 200, 'text/plain; charset=utf-8'],
  ['/healthz', 200, 'application/json; charset=utf-8'],
  ['/readyz', 200, 'application/json; charset=utf-8'],
  ['/preview-images/none.png', 404, 'text/html; charset=utf-8'],
])('%s returns %i as %s', async (path, status, type) => {
  const response = await call(service.baseUrl + path)
  expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({
    status,
    type,
  })
})

test('a service without its database is alive, but not ready', async () => {
  const closed = await startService()
  await closed.database.close()
  expect((await call(`${closed.baseUrl}/healthz`)).status).toBe(200)
  // A successful check counts for a second.
  await expect.poll(async () => (await call(`${closed.baseUrl}/readyz`)).status).toBe(503)
  await closed.close()
})
