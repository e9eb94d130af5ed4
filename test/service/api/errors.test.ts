import { describe, expect } from 'vitest'
import { CREATE_PATH, LIST_PATH } from '../../../src/contract/endpoints.ts'
import { errorEnvelope } from '../../../src/contract/error-envelope.ts'
import { generateApiKey } from '../../../src/service/store/api-key.ts'
import { withService } from '../../support/fixtures.ts'
import {
  call,
  getList,
  keyWith,
  postForm,
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

const create = (init: RequestInit): Promise<ServiceResponse> =>
  call(service.baseUrl + CREATE_PATH, { method: 'POST', ...init })

const FIELDS = { destination_url: 'https://example.com/', domain: 'default' }
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
    expect(errorOf(await create({ headers, body: 'not even a form' }))).toEqual(expected)
  })

  test('ignores a valid key outside the header', async () => {
    const query = new URLSearchParams({ 'X-API-Key': service.apiKey, ...withKey() }).toString()
    const headers = {
      authorization: `Bearer ${service.apiKey}`,
      cookie: `X-API-Key=${service.apiKey}`,
    }
    expect(
      errorOf(await call(`${service.baseUrl}${LIST_PATH}?${query}`, { headers })),
    ).toMatchObject({ status: 401 })
    const keyless = { baseUrl: service.baseUrl, apiKey: '' }
    expect(errorOf(await postForm(keyless, { ...FIELDS, ...withKey() }))).toMatchObject({
      status: 401,
    })
  })
})

describe('a key with fewer permissions', () => {
  test('does not show an existing link to a key that can’t read links', async () => {
    const both = await keyWith(service, { scopes: ['shortlinks:create', 'shortlinks:read'] })
    const writer = await keyWith(service, { scopes: ['shortlinks:create'] })
    const fields = { ...FIELDS, destination_url: 'https://example.com/existing' }
    expect((await postForm(both, fields)).status).toBe(200)
    expect((await postForm(both, fields)).body).toMatchObject({
      error: { status_code: 409, details: { shortlink: expect.anything() as unknown } },
    })
    expect((await postForm(writer, fields)).body).toEqual({
      error: {
        message: 'This destination already has a short link on this domain.',
        status_code: 409,
        code: 'DUPLICATE_DESTINATION_URL',
      },
    })
  })

  test('treats a domain record outside the limits of the key as unknown', async () => {
    const { db } = service.database
    await db
      .insertInto('domains')
      .values({ id: 'brand', domain_name: 'brand.example', owner_id: null, created_at: 1 })
      .execute()
    const limited = await keyWith(service, {
      scopes: ['shortlinks:create', 'shortlinks:read'],
      domainIds: ['brand'],
    })
    const unreachable = await postForm(limited, { ...FIELDS, domain: 'default' })
    const unknown = await postForm(limited, { ...FIELDS, domain: 'nobody' })
    expect(unreachable.status).toBe(422)
    expect(unreachable.text).toBe(unknown.text)
    expect((await getList(limited)).body).toMatchObject({ data: { shortlinks: [] } })
  })
})

const DISPOSITION = 'content-disposition: form-data; name'

/** A form whose title is sent with another header, and as these bytes. */
function textPart(header: string, latin1: string): { headers: Record<string, string>; body: Blob } {
  const part = `--b\r\n${DISPOSITION}="title"\r\n${header && `${header}\r\n`}\r\n${latin1}\r\n--b--\r\n`
  return { headers: FORM, body: new Blob([Buffer.from(part, 'latin1')]) }
}

describe('returns 400 for a request that can’t be read', () => {
  test('a path that can’t be decoded', async () => {
    const response = await call(`${service.baseUrl}/api/v1/%zz`)
    expect(errorOf(response)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  })

  test.each<[string, { headers?: Record<string, string>; body?: string | URLSearchParams | Blob }]>(
    [
      ['no body', {}],
      ['JSON', { headers: { 'content-type': 'application/json' }, body: '{"destination_url":1}' }],
      ['broken JSON', { headers: { 'content-type': 'application/json' }, body: '{' }],
      ['a plain form', { body: new URLSearchParams(FIELDS) }],
      [
        'a multipart body without a boundary',
        { headers: { 'content-type': 'multipart/form-data' }, body: 'a' },
      ],
      [
        'a body that ends early',
        { headers: FORM, body: '--b\r\ncontent-disposition: form-data; name="title"\r\n\r\na' },
      ],
      ['a body that is not multipart', { headers: FORM, body: 'a=b' }],
      [
        'a part without a name',
        { headers: FORM, body: '--b\r\ncontent-disposition: form-data\r\n\r\na\r\n--b--\r\n' },
      ],
      ['a part without a header', { headers: FORM, body: '--b\r\n\r\na\r\n--b--\r\n' }],
      [
        'a part whose header is broken',
        {
          headers: FORM,
          body: `--b\r\n${DISPOSITION}="title"\r\n\r\na\r\n--b\r\ncontent disposition\r\n\r\na\r\n--b--\r\n`,
        },
      ],
      [
        'a part whose header never ends',
        { headers: FORM, body: `--b\r\n${DISPOSITION}="title"\r\n--b--\r\n` },
      ],
      ['a text that is not UTF-8', textPart('', '\xfcber')],
      ['a text in an unknown charset', textPart('content-type: text/plain; charset=klingon', 'a')],
      ['a text in base64', textPart('content-transfer-encoding: base64', 'YQ==')],
      [
        'a text in quoted-printable',
        textPart('content-transfer-encoding: quoted-printable', 'a=3D'),
      ],
      [
        'a hundred parts',
        {
          headers: FORM,
          body:
            '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\na\r\n'.repeat(100) +
            '--b--\r\n',
        },
      ],
      ['an enormous body', { headers: FORM, body: 'a'.repeat(5_000_000) }],
    ],
  )('%s', async (_what, init) => {
    const response = await create({ ...init, headers: withKey(init.headers) })
    expect(errorOf(response)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  })

  test('does not wait for an endless body', async () => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    })
    const init = { headers: withKey(FORM), body: endless, duplex: 'half' as const }
    const response = await create(init)
    expect(errorOf(response)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  })
})

test.each(['__proto__', 'constructor', 'toString'])('names the unknown field %s', async (name) => {
  const body = `--b\r\n${DISPOSITION}="${name}"\r\n\r\na\r\n--b--\r\n`
  const response = await create({ headers: withKey(FORM), body })
  expect(errorOf(response)).toMatchObject({ status: 422, code: 'VALIDATION_ERROR' })
  const { fields } = (response.body as { error: { details: { fields: object } } }).error.details
  expect(Object.entries(fields)).toContainEqual([name, ['This field does not exist.']])
})

test('rejects a parameter named like a property of Object', async () => {
  const { body } = await getList(service, 'constructor=1')
  expect(body).toMatchObject({
    error: { details: { fields: { constructor: ['This parameter does not exist.'] } } },
  })
})

test.each([
  ['GET', '/api'],
  ['GET', '/api/v1/shortlinks/nothing'],
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
