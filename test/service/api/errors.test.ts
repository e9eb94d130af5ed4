import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CREATE_PATH, LIST_PATH } from '../../../src/contract/endpoints.ts'
import { errorEnvelope } from '../../../src/contract/error-envelope.ts'
import { generateApiKey } from '../../../src/service/store/api-key.ts'
import { addApiKey } from '../../../src/service/store/api-keys.ts'
import { call, getList, postForm, type Answer } from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

let service: RunningService
let key: Record<string, string>

beforeAll(async () => {
  service = await startService()
  key = { 'x-api-key': service.apiKey }
})
afterAll(() => service.close())

/** Status and code, after a check that it is the envelope and nothing besides. */
function refusal({ status, body }: Pick<Answer, 'status' | 'body'>) {
  const { error } = errorEnvelope.strict().parse(body)
  expect(error.status_code).toBe(status)
  return { status, code: error.code, message: error.message }
}

const create = (init: RequestInit): Promise<Answer> =>
  call(service.baseUrl + CREATE_PATH, { method: 'POST', ...init })

const FIELDS = { destination_url: 'https://example.com/', domain: 'default' }
const FORM = { 'content-type': 'multipart/form-data; boundary=b' }

describe('without a valid key', () => {
  test.each([
    ['no key', {}],
    ['an empty one', { 'x-api-key': '' }],
    ['no key of ours', { 'x-api-key': 'hunter2' }],
    ['one that was never made', { 'x-api-key': generateApiKey() }],
    ['a bearer token', { authorization: `Bearer ${generateApiKey()}` }],
  ])('%s is a 401, in the same words', async (_what, headers) => {
    const expected = {
      status: 401,
      code: 'AUTHENTICATION_REQUIRED',
      message: 'Send a valid API key in the X-API-Key header.',
    }
    expect(refusal(await call(service.baseUrl + LIST_PATH, { headers }))).toEqual(expected)
    expect(refusal(await create({ headers, body: 'not even a form' }))).toEqual(expected)
  })

  test('a valid one anywhere but in its header is as none', async () => {
    const query = new URLSearchParams({ 'X-API-Key': service.apiKey, ...key }).toString()
    const headers = {
      authorization: `Bearer ${service.apiKey}`,
      cookie: `X-API-Key=${service.apiKey}`,
    }
    expect(
      refusal(await call(`${service.baseUrl}${LIST_PATH}?${query}`, { headers })),
    ).toMatchObject({ status: 401 })
    const keyless = { baseUrl: service.baseUrl, apiKey: '' }
    expect(refusal(await postForm(keyless, { ...FIELDS, ...key }))).toMatchObject({ status: 401 })
  })

  test('a revoked key is as none', async () => {
    const { apiKey } = await service.service.provision({ id: 'T0GONE', name: 'Gone' })
    const gone = { baseUrl: service.baseUrl, apiKey }
    expect((await getList(gone)).status).toBe(200)
    await service.database.db
      .updateTable('api_keys')
      .set({ revoked_at: 1 })
      .where('owner_id', '=', (owners) =>
        owners.selectFrom('owners').select('id').where('external_id', '=', 'T0GONE'),
      )
      .execute()
    expect(refusal(await getList(gone))).toMatchObject({ status: 401 })
  })
})

describe('a key with fewer permissions', () => {
  async function keyWith(choice: Partial<Parameters<typeof addApiKey>[1]>) {
    const { db } = service.database
    const owner = await db.selectFrom('owners').select('id').executeTakeFirstOrThrow()
    const all = { ownerId: owner.id, name: 'test', permissions: 'restricted', ...choice } as const
    const { key: apiKey } = await addApiKey(db, all, Date.now())
    return { baseUrl: service.baseUrl, apiKey }
  }

  test('Read Only lists and does not create', async () => {
    const reader = await keyWith({ permissions: 'read_only' })
    expect((await getList(reader)).status).toBe(200)
    expect(refusal(await postForm(reader, FIELDS))).toMatchObject({
      status: 403,
      code: 'PERMISSION_DENIED',
    })
  })

  test('Restricted does what its scopes say', async () => {
    const writer = await keyWith({ scopes: ['shortlinks:create'] })
    expect(refusal(await getList(writer))).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' })
    const answer = await postForm(writer, { ...FIELDS, back_half: 'by-a-restricted-key' })
    expect(answer.status).toBe(200)
  })

  test('who may not read links is not shown the one that is there', async () => {
    const both = await keyWith({ scopes: ['shortlinks:create', 'shortlinks:read'] })
    const writer = await keyWith({ scopes: ['shortlinks:create'] })
    const fields = { ...FIELDS, destination_url: 'https://example.com/there-already' }
    expect((await postForm(both, fields)).status).toBe(200)
    expect((await postForm(both, fields)).body).toMatchObject({
      error: { status_code: 409, details: { shortlink: expect.anything() as unknown } },
    })
    expect((await postForm(writer, fields)).body).toEqual({
      error: {
        message: 'This destination has a short link on this domain already.',
        status_code: 409,
        code: 'DUPLICATE_DESTINATION_URL',
      },
    })
  })

  test('Restricted to other domain records, this one is as unknown', async () => {
    const { db } = service.database
    await db
      .insertInto('domains')
      .values({ id: 'brand', domain_name: 'brand.example', owner_id: null, created_at: 1 })
      .execute()
    const limited = await keyWith({
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

describe('what can’t be read is a 400', () => {
  test.each<[string, { headers?: Record<string, string>; body?: string | URLSearchParams }]>([
    ['no body', {}],
    ['JSON', { headers: { 'content-type': 'application/json' }, body: '{"destination_url":1}' }],
    ['broken JSON', { headers: { 'content-type': 'application/json' }, body: '{' }],
    ['a plain form', { body: new URLSearchParams(FIELDS) }],
    [
      'a multipart body without a boundary',
      { headers: { 'content-type': 'multipart/form-data' }, body: 'a' },
    ],
    [
      'one that ends early',
      { headers: FORM, body: '--b\r\ncontent-disposition: form-data; name="title"\r\n\r\na' },
    ],
    ['one that is none', { headers: FORM, body: 'a=b' }],
    [
      'a part without a name',
      { headers: FORM, body: '--b\r\ncontent-disposition: form-data\r\n\r\na\r\n--b--\r\n' },
    ],
    [
      'a field named as Object’s own',
      {
        headers: FORM,
        body: '--b\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\na\r\n--b--\r\n',
      },
    ],
    [
      'a hundred parts',
      {
        headers: FORM,
        body:
          '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\na\r\n'.repeat(100) + '--b--\r\n',
      },
    ],
    ['a body beyond all bounds', { headers: FORM, body: 'a'.repeat(5_000_000) }],
  ])('%s', async (_what, init) => {
    const answer = await create({ ...init, headers: { ...init.headers, ...key } })
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  })

  test('an endless body is not waited for', async () => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    })
    const init = { headers: { ...FORM, ...key }, body: endless, duplex: 'half' as const }
    const answer = await create(init)
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  })

  test.each([
    ['an address that can’t be decoded', 'GET /api/v1/%zz HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['no HTTP', 'hello\r\n\r\n'],
    ['no Host', 'GET /spring HTTP/1.1\r\n\r\n'],
    ['headers beyond all bounds', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`],
  ])('%s', async (_what, request) => {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 /)
    expect(head.toLowerCase()).toContain('content-type: application/json')
    expect(refusal({ status: 400, body: JSON.parse(body) })).toMatchObject({ code: 'BAD_REQUEST' })
  })
})

test('an expectation that nobody knows is let be', async () => {
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET /api HTTP/1.1\r\nHost: a\r\nExpect: more\r\nConnection: close\r\n\r\n')
  const [, body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(refusal({ status: 404, body: JSON.parse(body) })).toMatchObject({ code: 'NOT_FOUND' })
})

test('a parameter named as one of Object’s own is unknown, as others are', async () => {
  const { body } = await getList(service, 'constructor=1')
  expect(body).toMatchObject({
    error: { details: { fields: { constructor: ['There is no such parameter.'] } } },
  })
})

test.each([
  ['GET', '/api'],
  ['GET', '/api/v1/shortlinks/nothing'],
  ['DELETE', CREATE_PATH],
  ['GET', CREATE_PATH],
  ['POST', '/spring'],
])('%s %s is a 404', async (method, path) => {
  const answer = await call(service.baseUrl + path, { method, headers: key })
  expect(refusal(answer)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

test('a fault of ours is a 500 that says nothing of it, and the log says all but the key', async () => {
  const broken = await startService()
  await broken.database.db.schema.dropTable('preview_images').execute()
  await broken.database.db.schema.dropTable('links').execute()
  const answer = await getList(broken)
  expect(refusal(answer)).toEqual({
    status: 500,
    code: 'INTERNAL_ERROR',
    message: 'Something went wrong in the link service. Try again later.',
  })
  const log = broken.logLines.join('')
  expect(log).toContain('no such table: links')
  expect(log).not.toContain(broken.apiKey)
  await broken.close()
})

test('no key was ever logged', () => {
  expect(service.logLines.join('')).not.toContain(service.apiKey)
})
