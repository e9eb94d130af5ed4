import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApiError } from '../../src/client/errors/api-error.ts'
import { LinkServiceError } from '../../src/client/errors/link-service-error.ts'
import { RateLimitedError } from '../../src/client/errors/rate-limited-error.ts'
import { CREATE_PATH, LIST_PATH } from '../../src/contract/endpoints.ts'
import {
  answersInTurn,
  API_KEY,
  CREATED,
  DUPLICATE,
  failureOf,
  LINK,
  refusal,
  startClientElsewhere,
  type ClientElsewhere,
} from '../support/client-elsewhere.ts'
import type { Answer, ForeignService } from '../support/fake-link-service.ts'

let elsewhere: ClientElsewhere
let service: ForeignService

beforeEach(async () => {
  elsewhere = await startClientElsewhere()
  service = elsewhere.service
})
afterEach(() => elsewhere.close())

test('a create carries the key, the idempotency key and the form, below the base path', async () => {
  expect(await elsewhere.create({ back_half: 'spring', qr_code_enabled: true })).toEqual(LINK)
  const [received] = service.received
  expect(received).toMatchObject({
    method: 'POST',
    url: `/prefix${CREATE_PATH}`,
    headers: {
      'x-api-key': API_KEY,
      'idempotency-key': 'wish-1',
      'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/) as string,
      'content-length': expect.stringMatching(/^\d+$/) as string,
    },
  })
  expect(received?.body).toMatch(/name="back_half"\r\n\r\nspring\r\n/)
})

test('a created link is shown though a member that is not needed is null', async () => {
  const shortlink = { ...LINK, title: null, preview_image: null, is_custom_preview: null }
  service.answers(() => ({ status: 201, body: { data: { shortlink } } }))
  expect(await elsewhere.create()).toEqual(LINK)
})

test('a list asks for ten links unless told otherwise, and only for what it was asked', async () => {
  service.answers(() => ({ status: 200, body: { data: { shortlinks: [LINK] } } }))
  const page = { links: [LINK], skipped: 0, hasNext: false }
  expect(await elsewhere.client.list()).toEqual({ ...page, page: 1, perPage: 10 })
  expect(
    await elsewhere.client.list({ page: 3, per_page: 5, sort_by: 'created_at', order: 'asc' }),
  ).toEqual({ ...page, page: 3, perPage: 5 })
  expect(
    service.received.map(({ method, url, headers }) => [method, url, headers['x-api-key']]),
  ).toEqual([
    ['GET', `/prefix${LIST_PATH}?page=1&per_page=10`, API_KEY],
    ['GET', `/prefix${LIST_PATH}?page=3&per_page=5&sort_by=created_at&order=asc`, API_KEY],
  ])
})

test.each([
  [400, 'BAD_REQUEST'],
  [401, 'AUTHENTICATION_REQUIRED'],
  [403, 'FEATURE_LIMIT_EXCEEDED'],
  [404, 'NOT_FOUND'],
  [409, 'BACK_HALF_CONFLICT'],
  [500, 'INTERNAL_ERROR'],
])('a %s is thrown as the service words it, and not retried', async (status, code) => {
  const message = 'In the service’s words.'
  service.answers(() =>
    refusal(status, { message, code, details: { a: 1 } }, { 'x-request-id': 'req-7' }),
  )
  const error = await failureOf(elsewhere.create())
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    name: 'ApiError',
    status,
    code,
    message,
    details: { a: 1 },
    fieldMessages: {},
    requestId: 'req-7',
    retryable: false,
  })
  expect(service.received.length).toBe(1)
})

test('a 422 says what is wrong with which field', async () => {
  const fields = { back_half: 'Use letters and digits.' }
  service.answers(() => refusal(422, { message: 'Not valid.', code: 'X', details: { fields } }))
  expect(await failureOf(elsewhere.create())).toMatchObject({ status: 422, fieldMessages: fields })
})

test('an API key that the service repeats is hidden', async () => {
  service.answers(() =>
    refusal(401, { message: `No key ${API_KEY}.`, code: 'X', details: { title: `${API_KEY}!` } }),
  )
  const error = await failureOf(elsewhere.create())
  expect(error).toMatchObject({
    message: 'No key [API key].',
    details: { title: '[API key]!' },
    fieldMessages: { title: '[API key]!' },
  })
})

test.each([
  [403, 'The link service answered 403 without saying why.'],
  [301, 'The link service sends us elsewhere (301): its configured address is not quite right.'],
])('a %s in HTML has a status, no code, and words of ours', async (status, message) => {
  const html = { 'content-type': 'text/html' }
  service.answers(() => ({ status, headers: html, body: '<h1>nginx</h1>' }))
  const error = await failureOf(elsewhere.create())
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status, code: undefined, message })
})

test.each([
  ['text/html', '<h1>Welcome</h1>', 'HTML instead of JSON'],
  ['application/json', '{"data":', 'no readable JSON'],
  ['application/json', 'x'.repeat(2_000_000), 'no readable JSON'],
  ['application/json', '{"data":{"status":"success"}}', 'JSON that holds no shortlink'],
])('a success of %s that makes no sense (%#) is said to be one', async (type, body, found) => {
  service.answers(() => ({ status: 200, headers: { 'content-type': type }, body }))
  expect(await failureOf(elsewhere.create())).toMatchObject({
    name: 'ResponseShapeError',
    message: `The link service answered 200 with ${found}.`,
    retryable: false,
    mayHaveHappened: true,
  })
})

test.each([502, 503, 504])(
  'a %s is retried with the same key and the same form',
  async (status) => {
    service.answers(answersInTurn([{ status, body: 'try later' }, CREATED]))
    expect(await elsewhere.create()).toEqual(LINK)
    const [first, second] = service.received
    expect(second).toEqual(first)
    expect(elsewhere.waits).toEqual([250])
  },
)

test('a 429 is retried after the time that the service asks for', async () => {
  const busy = refusal(429, { message: 'Slow down.', code: 'X' }, { 'retry-after': '3' })
  service.answers(answersInTurn([busy, CREATED]))
  expect(await elsewhere.create()).toEqual(LINK)
  expect(elsewhere.waits).toEqual([3_000])
})

test('a 429 that asks for too long is thrown at once, with the time', async () => {
  const headers = { 'retry-after': 'Sun, 01 Mar 2026 12:02:00 GMT' }
  service.answers(() => refusal(429, { message: 'Slow down.', code: 'X' }, headers))
  const error = await failureOf(elsewhere.create())
  expect(error).toBeInstanceOf(RateLimitedError)
  expect(error).toMatchObject({ status: 429, message: 'Slow down.', retryAfterMs: 120_000 })
  expect(elsewhere.waits).toEqual([])
})

test('a service that stays away is tried four times', async () => {
  service.answers(() => ({ status: 503, body: '' }))
  expect(await failureOf(elsewhere.client.list())).toMatchObject({ status: 503, retryable: true })
  expect(service.received.length).toBe(4)
  expect(elsewhere.waits).toEqual([250, 500, 1_000])
})

test('a create whose answer got lost is sent again with the same key', async () => {
  service.answers(answersInTurn(['destroy', CREATED]))
  expect(await elsewhere.create()).toEqual(LINK)
  expect(service.received.map(({ headers }) => headers['idempotency-key'])).toEqual([
    'wish-1',
    'wish-1',
  ])
})

test('when all tries fail, an error that leaves open whether there is a link wins', async () => {
  const busy: Answer = { status: 503, body: '' }
  service.answers(answersInTurn(['destroy', busy, busy, busy]))
  expect(await failureOf(elsewhere.create())).toMatchObject({
    name: 'NetworkError',
    mayHaveHappened: true,
  })
})

test('a service that is not there is a failure that made no link', async () => {
  await service.close()
  const error = await failureOf(elsewhere.create())
  expect(error).toBeInstanceOf(LinkServiceError)
  expect(error).toMatchObject({ name: 'NetworkError', mayHaveHappened: false })
  expect(elsewhere.waits.length).toBe(3)
})

test('no error shows the key, the form or the query', async () => {
  for (const answer of ['destroy', DUPLICATE, { status: 200, body: 'no JSON' }] as const) {
    service.answers(() => answer)
    for (const call of [elsewhere.create(), elsewhere.client.list({ page: 2 })]) {
      const error = await failureOf(call)
      if (!(error instanceof Error)) throw new Error('not an error')
      const { message, stack, cause } = error
      const told = [message, stack, JSON.stringify(error), String(cause), JSON.stringify(cause)]
      expect(told.join('\n')).not.toMatch(/hunter2|example\.com\/long|page=2|wish-1/)
    }
  }
})
