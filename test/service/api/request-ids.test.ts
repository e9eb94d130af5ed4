import { request as sendRaw } from 'node:http'
import { expect } from 'vitest'
import { withService } from '../../support/fixtures.ts'
import { getList } from '../../support/service-calls.ts'

const { test, service } = withService()
test.beforeEach(({ service }) => void (service.logLines.length = 0))

/** Lists links with raw headers. @returns the status and the service's request ID */
async function list(headers: Record<string, string | string[]>, apiKey = service.apiKey) {
  return new Promise<{ status: number | undefined; id: unknown }>((resolve, reject) => {
    const url = `${service.baseUrl}/api/v1/shortlinks/get_shortlinks`
    const request = sendRaw(url, { headers: { 'x-api-key': apiKey, ...headers } }, (response) => {
      response.resume()
      resolve({ status: response.statusCode, id: response.headers['x-request-id'] })
    })
    request.on('error', reject)
    request.end()
  })
}

/** The ID in the line that the service logs about a request. */
async function loggedId(): Promise<unknown> {
  await expect.poll(() => service.logLines.length).toBeGreaterThan(0)
  return (JSON.parse(service.logLines[0] ?? '{}') as { requestId?: unknown }).requestId
}

test.each([['4bf92f3577b34da6a3ce929d0e0e4736'], ['a.B_c-1'], ['x'.repeat(64)]])(
  'keeps the request ID %s in its log and its response',
  async (id) => {
    expect(await list({ 'x-request-id': id })).toEqual({ status: 200, id })
    expect(await loggedId()).toBe(id)
  },
)

test('keeps it in the response to a request that it rejects', async () => {
  expect(await list({ 'x-request-id': 'mine' }, 'wrong')).toEqual({ status: 401, id: 'mine' })
})

test.each([
  ['is empty', ''],
  ['is too long', 'x'.repeat(65)],
  ['has a space', 'a b'],
  ['could end a log line', 'a"}{"level":60'],
  ['is not ASCII', 'é'],
  ['comes twice', ['one', 'two']],
])('makes its own ID if the given one %s', async (_name, given) => {
  const { status, id } = await list({ 'x-request-id': given })
  expect(status).toBe(200)
  expect(id).toMatch(/^[\da-f]{16}-\d+$/)
  expect(await loggedId()).toBe(id)
})

test('makes its own ID if the request has none', async () => {
  const { headers } = await getList(service)
  expect(headers.get('x-request-id')).toBe(await loggedId())
})
