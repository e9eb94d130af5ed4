import { expect } from 'vitest'
import { withService } from '../../support/fixtures.ts'
import { call } from '../../support/service-calls.ts'

const { test, service } = withService()
const broken = withService()

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
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe(type)
})

broken.test(
  'without its database, is alive, shows a page, and is not ready',
  async ({ service }) => {
    await service.database.close()
    const get = (path: string) => call(service.baseUrl + path)
    expect((await get('/healthz')).status).toBe(200)
    expect((await get('/')).status).toBe(200)
    const { status, text } = await get('/anything')
    expect(status).toBe(500)
    expect(text).toContain('<h1>Something went wrong here.</h1>')
    // A successful check counts for a second.
    await expect.poll(async () => (await get('/readyz')).status).toBe(503)
  },
)
