import { afterEach, beforeEach, expect, test } from 'vitest'
import { LIST_PATH } from '../../src/contract/endpoints.ts'
import { failure, type Answer, type FakeLinkService } from '../support/fake-link-service.ts'
import {
  DUPLICATE,
  errorOf,
  inTurn,
  LINK,
  startTestClient,
  type TestClient,
} from '../support/test-client.ts'

/*
 * The first attempt of a create makes the link, but its response gets lost. The service ignores
 * the idempotency key, so it rejects the second attempt with a 409.
 */

let testClient: TestClient
let service: FakeLinkService

beforeEach(async () => {
  testClient = await startTestClient()
  service = testClient.service
})
afterEach(() => testClient.close())

const LOST: [string, Answer | 'destroy'][] = [
  ['a reset', 'destroy'],
  ['a 502', { status: 502, body: '' }],
  ['a 504', { status: 504, body: '' }],
]

test.each(LOST)('after %s, finds its own link among the newest', async (_, lost) => {
  const older = { ...LINK, name: 'sl_0', destination_url: 'https://example.com/other' }
  service.answers(inTurn([lost, DUPLICATE], [older, LINK]))
  expect(await testClient.create()).toEqual(LINK)
  expect(service.received.at(-1)?.url).toBe(
    `/prefix${LIST_PATH}?page=1&per_page=20&sort_by=most_recent&order=desc`,
  )
})

test('after a timeout, finds its own link among the newest', async () => {
  await testClient.close()
  testClient = await startTestClient({ headersTimeoutMs: 300 })
  service = testClient.service
  let creates = 0
  service.answers(async ({ url }) => {
    if (url.includes(LIST_PATH)) return { status: 200, body: [LINK] }
    if (++creates === 1) await new Promise(() => undefined)
    return DUPLICATE
  })
  expect(await testClient.create()).toEqual(LINK)
})

test('takes the link that the 409 shows, without listing', async () => {
  const conflict = failure(409, 'X', { details: { shortlink: LINK } })
  service.answers(inTurn(['destroy', conflict]))
  expect(await testClient.create()).toEqual(LINK)
  expect(service.received.length).toBe(2)
})

test('finds a link on the second page', async () => {
  const other = { ...LINK, destination_url: 'https://example.com/other' }
  const full = Array.from({ length: 20 }, () => other)
  service.answers(({ url }) => {
    if (!url.includes(LIST_PATH)) return service.received.length === 1 ? 'destroy' : DUPLICATE
    return { status: 200, body: url.includes('page=2&') ? [other, LINK] : full }
  })
  expect(await testClient.create()).toEqual(LINK)
})

test('throws the 409 if the link is not on the first three pages', async () => {
  const other = { ...LINK, destination_url: 'https://example.com/other' }
  const full = Array.from({ length: 20 }, () => other)
  let pages = 0
  service.answers(({ url }) => {
    if (!url.includes(LIST_PATH)) return service.received.length === 1 ? 'destroy' : DUPLICATE
    pages++
    return { status: 200, body: full }
  })
  expect(await errorOf(testClient.create())).toMatchObject({ status: 409 })
  expect(pages).toBe(3)
})

test.each([
  ['frühling', 'https://go.example.com/fr%C3%BChling'],
  ['@us+you', 'https://go.example.com/@us+you'],
  ['100%', 'https://go.example.com/path/100%'],
])('finds the link with the requested back-half %s', async (back_half, url) => {
  const conflict = failure(409, 'BACK_HALF_CONFLICT')
  const own = { ...LINK, shortlink_url: url }
  service.answers(inTurn(['destroy', conflict], [LINK, own]))
  expect(await testClient.create({ back_half })).toEqual(own)
})

test('throws the 409 if it shows a link with another back-half', async () => {
  const conflict = failure(409, 'X', { details: { shortlink: LINK } })
  service.answers(inTurn(['destroy', conflict], [LINK]))
  expect(await errorOf(testClient.create({ back_half: 'spring' }))).toMatchObject({ status: 409 })
})

test('throws a 409 on the first attempt', async () => {
  service.answers(inTurn([DUPLICATE], [LINK]))
  expect(await errorOf(testClient.create())).toMatchObject({ status: 409 })
  expect(service.received.length).toBe(1)
})

test('throws a 409 after a failure that certainly created no link', async () => {
  service.answers(inTurn([{ status: 503, body: '' }, DUPLICATE], [LINK]))
  expect(await errorOf(testClient.create())).toMatchObject({ status: 409 })
})

test('throws the 409 if the key may not list', async () => {
  let creates = 0
  service.answers(({ url }) => {
    if (url.includes(LIST_PATH)) return failure(403, 'PERMISSION_DENIED')
    return ++creates === 1 ? 'destroy' : DUPLICATE
  })
  expect(await errorOf(testClient.create())).toMatchObject({ status: 409 })
})
