import { expect, test } from 'vitest'
import { CREATE_PATH, LIST_PATH } from '../../../src/contract/endpoints.ts'
import { failure, type Answer } from '../../support/fake-link-service.ts'
import {
  API_KEY,
  CREATED,
  DUPLICATE,
  errorOf,
  inTurn,
  LINK,
  testClientForAll,
} from '../../support/test-client.ts'

const { service, client, create, waits } = await testClientForAll()

test('sends a create with the API key and the idempotency key below the base path', async () => {
  expect(await create({ back_half: 'spring', qr_code_enabled: true })).toEqual(LINK)
  const [received] = service.received
  expect(received).toMatchObject({
    method: 'POST',
    url: `/prefix${CREATE_PATH}`,
    headers: {
      'x-api-key': API_KEY,
      'idempotency-key': 'key-1',
      'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/) as string,
      'content-length': expect.stringMatching(/^\d+$/) as string,
    },
  })
  expect(received?.body).toMatch(/name="back_half"\r\n\r\nspring\r\n/)
})

test('lists ten links by default, and sends only the parameters that are given', async () => {
  service.answers(() => ({ status: 200, body: { data: { shortlinks: [LINK] } } }))
  const page = { links: [LINK], skipped: 0, hasNext: false }
  expect(await client.list()).toEqual(page)
  const query = { page: 3, per_page: 5, sort_by: 'created_at', order: 'asc' } as const
  expect(await client.list(query)).toEqual(page)
  const headers = { 'x-api-key': API_KEY }
  const path = `/prefix${LIST_PATH}`
  expect(service.received).toMatchObject([
    { method: 'GET', url: `${path}?page=1&per_page=10`, headers },
    { method: 'GET', url: `${path}?page=3&per_page=5&sort_by=created_at&order=asc`, headers },
  ])
})

test('throws an error with the service’s message and does not retry', async () => {
  const error = { message: 'In the service’s words.', details: { a: 1 } }
  const headers = { 'x-request-id': 'req-7' }
  service.answers(() => failure(409, 'BACK_HALF_CONFLICT', { ...error, headers }))
  expect(await errorOf(create())).toMatchObject({
    name: 'LinkServiceError',
    message: 'In the service’s words.',
    retryable: false,
    failure: { kind: 'duplicate' },
    status: 409,
    code: 'BACK_HALF_CONFLICT',
    requestId: 'req-7',
  })
  expect(service.received.length).toBe(1)
})

test('hides an API key that the service repeats', async () => {
  service.answers(() =>
    failure(422, 'X', { message: `No key ${API_KEY}.`, details: { title: `${API_KEY}!` } }),
  )
  const failed = { kind: 'invalid', fields: { title: '[API key]!' } }
  const hidden = { message: 'No key [API key].', failure: failed }
  expect(await errorOf(create())).toMatchObject(hidden)
})

test.each([
  [403, 'The link service responded with 403 and no explanation.'],
  [301, 'The link service redirects to another address (301). Its configured URL might be wrong.'],
])('throws a %s in HTML without a code and with a message of our own', async (status, message) => {
  const html = { 'content-type': 'text/html', location: '/elsewhere' }
  service.answers(() => ({ status, headers: html, body: '<h1>nginx</h1>' }))
  const name = 'LinkServiceError'
  expect(await errorOf(create())).toMatchObject({ name, status, code: undefined, message })
})

test.each([
  ['text/html', '<h1>Welcome</h1>', 'HTML instead of JSON'],
  ['application/json', '{"data":', 'no usable JSON'],
  ['application/json', 'x'.repeat(2_000_000), 'no usable JSON'],
  ['application/json', '{"data":{"status":"success"}}', 'JSON without a readable data.shortlink'],
])('rejects a %s success that it can’t read (case %#)', async (type, body, found) => {
  service.answers(() => ({ status: 200, headers: { 'content-type': type }, body }))
  expect(await errorOf(create())).toMatchObject({
    name: 'ResponseShapeError',
    message: `The link service responded with 200 and ${found}.`,
    retryable: false,
    mayHaveHappened: true,
  })
})

test('retries a 503 with the same request', async () => {
  service.answers(inTurn([{ status: 503, body: 'try later' }, CREATED]))
  expect(await create()).toEqual(LINK)
  const [first, second] = service.received
  expect(second).toEqual(first)
  expect(waits).toEqual([250])
})

test('throws the error of the attempt that might have created the link', async () => {
  const busy: Answer = { status: 503, body: '' }
  service.answers(inTurn(['destroy', busy, busy, busy]))
  const uncertain = { name: 'NetworkError', mayHaveHappened: true }
  expect(await errorOf(create())).toMatchObject(uncertain)
})

test('keeps the key, the form and the query out of every error', async () => {
  for (const answer of ['destroy', DUPLICATE, { status: 200, body: 'no JSON' }] as const) {
    service.answers(() => answer)
    for (const call of [() => create(), () => client.list({ page: 2 })]) {
      const error = await errorOf(call())
      if (!(error instanceof Error)) throw new Error('not an error')
      const { message, stack, cause } = error
      const revealed = [message, stack, JSON.stringify(error), String(cause), JSON.stringify(cause)]
      expect(revealed.join('\n')).not.toMatch(/hunter2|example\.com\/long|page=2|key-1/)
    }
  }
})
