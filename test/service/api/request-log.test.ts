import { request as sendRaw } from 'node:http'
import { expect } from 'vitest'
import { LIST_PATH } from '../../../src/contract/endpoints.ts'
import { withService } from '../../support/fixtures.ts'
import { getList } from '../../support/service-calls.ts'

const { test, service } = withService()
test.beforeEach(({ service }) => void (service.logLines.length = 0))

const logged = () =>
  service.logLines.map((line) => JSON.parse(line) as { requestId?: string; status?: number })

test('logs every accepted request, but only the first requests without a key', async ({
  service,
}) => {
  for (let time = 0; time < 20; time++) {
    expect((await getList({ ...service, apiKey: '' })).status).toBe(401)
    expect((await getList(service)).status).toBe(200)
  }
  const count = (status: number) => logged().filter((line) => line.status === status).length
  await expect.poll(() => count(200)).toBe(20)
  expect(count(401)).toBe(5)
})

/** Lists links with raw headers. @returns the status and the service's request ID */
async function list(headers: Record<string, string | string[]>, apiKey = service.apiKey) {
  return new Promise<{ status: number | undefined; id: unknown }>((resolve, reject) => {
    const url = service.baseUrl + LIST_PATH
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
  await expect.poll(() => logged().length).toBeGreaterThan(0)
  return logged()[0]?.requestId
}

test.each(['4bf92f3577b34da6a3ce929d0e0e4736', 'a.B_c-1', 'x'.repeat(64)])(
  'keeps the request ID %s in its log and its response, even if it rejects the request',
  async (id) => {
    expect(await list({ 'x-request-id': id })).toEqual({ status: 200, id })
    expect(await loggedId()).toBe(id)
    expect(await list({ 'x-request-id': id }, 'wrong')).toEqual({ status: 401, id })
  },
)

test.each([
  ['is missing', undefined],
  ['is empty', ''],
  ['is too long', 'x'.repeat(65)],
  ['has a space', 'a b'],
  ['could end a log line', 'a"}{"level":60'],
  ['is not ASCII', 'é'],
  ['comes twice', ['one', 'two']],
])('makes its own request ID if the given one %s', async (_what, given) => {
  const { status, id } = await list(given === undefined ? {} : { 'x-request-id': given })
  expect(status).toBe(200)
  expect(id).toMatch(/^[\da-f]{32}$/)
  expect(await loggedId()).toBe(id)
})
