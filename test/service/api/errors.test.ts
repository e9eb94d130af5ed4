import { describe, expect } from 'vitest'
import { CREATE_PATH, LIST_PATH } from '../../../src/contract/endpoints.ts'
import { errorEnvelope } from '../../../src/contract/error-envelope.ts'
import { generateApiKey } from '../../../src/service/store/api-key.ts'
import { withService } from '../../support/fixtures.ts'
import { addDomainRecord } from '../../support/rows.ts'
import {
  call,
  create,
  errorIn,
  errorsIn,
  getList,
  keyWith,
  listed,
  newLink,
  type ServiceResponse,
} from '../../support/service-calls.ts'
import { startService } from '../../support/service.ts'

const { test, service } = withService()
const withKey = (headers = {}) => ({ ...headers, 'x-api-key': service.apiKey })

/** Checks that the response is the envelope and nothing else, and returns its contents. */
function errorOf({ status, body }: Pick<ServiceResponse, 'status' | 'body'>) {
  const { error } = errorEnvelope.strict().parse(body)
  expect(error.status_code).toBe(status)
  return { status, code: error.code, message: error.message }
}

const post = (init: RequestInit): Promise<ServiceResponse> =>
  call(service.baseUrl + CREATE_PATH, { method: 'POST', ...init })

const FORM = { 'content-type': 'multipart/form-data; boundary=b' }

describe('without a valid key', () => {
  test.each([
    ['no key', {}],
    ['an empty key', { 'x-api-key': '' }],
    ['a key of another service', { 'x-api-key': 'hunter2' }],
    ['a key that was never created', { 'x-api-key': generateApiKey() }],
    ['a bearer token', { authorization: `Bearer ${generateApiKey()}` }],
  ])('returns the same 401 for %s', async (_what, headers) => {
    const expected = {
      status: 401,
      code: 'AUTHENTICATION_REQUIRED',
      message: 'Send a valid API key in the X-API-Key header.',
    }
    expect(errorOf(await call(service.baseUrl + LIST_PATH, { headers }))).toEqual(expected)
    expect(errorOf(await post({ headers, body: 'not even a form' }))).toEqual(expected)
  })

  test('ignores a valid key outside the header', async () => {
    const { baseUrl, apiKey } = service
    const query = new URLSearchParams({ 'X-API-Key': apiKey, ...withKey() }).toString()
    const headers = { authorization: `Bearer ${apiKey}`, cookie: `X-API-Key=${apiKey}` }
    for (const response of [
      await call(`${baseUrl}${LIST_PATH}?${query}`, { headers }),
      await create({ baseUrl, apiKey: '' }, withKey()),
    ]) {
      expect(errorOf(response)).toMatchObject({ status: 401 })
    }
  })
})

test('does not show an existing link to a key that can’t read links', async () => {
  const { destination_url } = await newLink(service)
  const both = await keyWith(service, { scopes: ['shortlinks:create', 'shortlinks:read'] })
  expect((await create(both, { destination_url })).text).toContain('"shortlink":')
  const writer = await keyWith(service, { scopes: ['shortlinks:create'] })
  const refused = await create(writer, { destination_url })
  expect(errorIn(refused)).toEqual([409, 'DUPLICATE_DESTINATION_URL', undefined])
  expect(refused.text).not.toContain(destination_url)
})

test('treats a domain record outside the limits of the key as unknown', async () => {
  await addDomainRecord(service.database, 'brand')
  const limited = await keyWith(service, {
    scopes: ['shortlinks:create', 'shortlinks:read'],
    domainIds: ['brand'],
  })
  const unreachable = await create(limited)
  expect(unreachable.status).toBe(422)
  expect(unreachable.text).toBe((await create(limited, { domain: 'unknown' })).text)
  expect((await listed(limited)).shortlinks).toEqual([])
})

const NAMED = 'content-disposition: form-data; name'
const TITLE = `--b\r\n${NAMED}="title"`
const END = '\r\n--b--\r\n'

describe('returns 400 for a request that can’t be read', () => {
  test('a path that can’t be decoded', async () => {
    const response = await call(`${service.baseUrl}/api/v1/%zz`)
    expect(errorOf(response)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  })

  test.each([
    ['no body', undefined, ''],
    ['JSON', '{"destination_url":1}', 'application/json'],
    ['a multipart body without a boundary', 'a', 'multipart/form-data'],
    ['a body that ends early', `${TITLE}\r\n\r\na`],
    ['a body that is not multipart', 'a=b'],
    ['a part without a name', `--b\r\ncontent-disposition: form-data\r\n\r\na${END}`],
    ['a part without a header', `--b\r\n\r\na${END}`],
    ['a part whose header is broken', `--b\r\ncontent disposition\r\n\r\na${END}`],
    ['a part whose header never ends', TITLE + END],
    ['a text that is not UTF-8', `${TITLE}\r\n\r\n\xfcber${END}`],
    [
      'a text in an unknown charset',
      `${TITLE}\r\ncontent-type: text/plain; charset=x\r\n\r\na${END}`,
    ],
    ['a text in base64', `${TITLE}\r\ncontent-transfer-encoding: base64\r\n\r\nYQ==${END}`],
    ['a hundred parts', `--b\r\n${NAMED}="a"\r\n\r\na\r\n`.repeat(100) + END],
    ['an enormous body', 'a'.repeat(5_000_000)],
  ])('%s', async (_what, latin1, type = FORM['content-type']) => {
    const body = latin1 === undefined ? {} : { body: Buffer.from(latin1, 'latin1') }
    const response = await post({ headers: withKey(type && { 'content-type': type }), ...body })
    expect(errorOf(response)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  })

  test('does not wait for an endless body', async () => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    })
    const init = { headers: withKey(FORM), body: endless, duplex: 'half' as const }
    expect(errorOf(await post(init))).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  })
})

test.each(['__proto__', 'constructor'])('names the unknown field or parameter %s', async (name) => {
  const body = `--b\r\n${NAMED}="${name}"\r\n\r\na${END}`
  for (const [response, message] of [
    [await post({ headers: withKey(FORM), body }), 'This field does not exist.'],
    [await getList(service, `${name}=1`), 'This parameter does not exist.'],
  ] as const) {
    expect(Object.entries(errorsIn(response))).toContainEqual([name, [message]])
  }
})

test.each([
  ['GET', '/api'],
  ['DELETE', CREATE_PATH],
  ['GET', CREATE_PATH],
  ['POST', '/spring'],
])('returns 404 for %s %s', async (method, path) => {
  const response = await call(service.baseUrl + path, { method, headers: withKey() })
  expect(errorOf(response)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

test('returns 500 without details if the service fails, and logs everything but the key', async () => {
  const broken = await startService()
  await broken.database.db.schema.dropTable('link_counts').execute()
  const response = await getList(broken)
  expect(errorOf(response)).toEqual({
    status: 500,
    code: 'INTERNAL_ERROR',
    message: 'Something went wrong in the link service. Try again later.',
  })
  const log = broken.logLines.join('')
  expect(log).toContain('no such table: link_counts')
  expect(log).not.toContain(broken.apiKey)
  await broken.close()
})

test('never logs a key', () => {
  expect(service.logLines.join('')).not.toContain(service.apiKey)
})
