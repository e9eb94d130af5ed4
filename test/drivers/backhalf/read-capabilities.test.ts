import { OUR_SORT_FIELDS, SORT_FIELDS } from '../../../src/contract/list-query.ts'
import { expect, test } from 'vitest'
import { SPECIFICATION } from '../../../src/port/capabilities.ts'
import { parseCapabilities } from '../../../src/drivers/backhalf/read-capabilities.ts'
import { createLinkClient } from '../../../src/drivers/backhalf/link-client.ts'
import { systemClock } from '../../../src/timing/clock.ts'
import { createTransport } from '../../../src/client/transport.ts'
import { failure } from '../../support/fake-link-service.ts'
import { ALL_OFFERS, offersDocument } from '../../support/offers-document.ts'
import { API_KEY, testClientForAll } from '../../support/test-client.ts'

const read = (document: object) =>
  parseCapabilities(JSON.stringify({ openapi: '3.1.0', ...document }))
const numbered = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

const LINK = '/api/v1/shortlinks/{name}'
const LIST = '/api/v1/shortlinks/get_shortlinks'
const CREATE = '/api/v1/shortlinks/create_shortlink'

test('finds nothing in the document of a service that follows the specification only', () => {
  const create = { post: { requestBody: { content: { 'multipart/form-data': { schema: {} } } } } }
  const list = { get: { parameters: [{ in: 'header', name: 'q' }] } }
  expect(read({ paths: { [CREATE]: create, [LIST]: list } })).toEqual(SPECIFICATION)
})

test('finds single calls', () => {
  const paths = { '/api/v1/shortlinks/{id}/': { get: {}, parameters: [] } }
  expect(read({ openapi: '3.0.3', paths })).toEqual({ ...SPECIFICATION, get: true })
})

/** The document with other paths and servers. */
function moved(servers: unknown, rename: (path: string) => string) {
  const { paths, ...rest } = offersDocument()
  const renamed = Object.entries(paths).map(([path, item]) => [rename(path), item])
  return { ...rest, servers, paths: Object.fromEntries(renamed) as object }
}

test.each([
  ['its paths', undefined, (path: string) => path.replace(/^\/api/, '/links/api')],
  ['its server’s URL', [{ url: 'https://h.example/links/api/v1/' }], cutPrefix],
  ['a relative URL', [{ url: '/api/v1' }], cutPrefix],
  ['one of several servers', [{ url: 'https://h.example/old' }, { url: './api/v1' }], cutPrefix],
])('accepts a prefix in %s', (_, servers, rename) => {
  expect(read(moved(servers, rename))).toEqual(ALL_OFFERS)
})

function cutPrefix(path: string): string {
  return path.replace(/^\/api\/v1/, '')
}

const PICTURE = { get: { parameters: [{ in: 'query', name: 'color' }] } }

test.each<[string, object, boolean]>([
  ['/{b}/qr.png', PICTURE, true],
  ['/s/{b}/qr.png/', PICTURE, true],
  ['/{b}/qr.png', { get: {} }, false],
  ['/{b}/qr.svg', PICTURE, false],
])('with %s and %j, public QR pictures are offered: %o', (path, item, isOffered) => {
  const servers = [{ url: 'https://go.example' }, { url: 'https://{host}' }]
  const offered = { ...SPECIFICATION, ...(isOffered && { qrPath: '/qr.png' }) }
  expect(read({ servers, paths: { [path]: item } })).toEqual(offered)
})

test.each([
  ['lists it', { enum: ['created_at', 'clicks'] }, true],
  ['refers to a schema that lists it', { $ref: '#/x' }, true],
  ['doesn’t list it', { enum: ['created_at'] }, false],
  ['is any text', { type: 'string' }, false],
])('sorting by clicks is offered if the parameter %s: %o', (_, schema, isOffered) => {
  const parameters = [{ in: 'query', name: 'sort_by', schema }]
  const document = { paths: { [LIST]: { get: { parameters } } }, x: { enum: ['clicks'] } }
  const sorts = isOffered ? OUR_SORT_FIELDS : SORT_FIELDS
  expect(read(document)).toEqual({ ...SPECIFICATION, sorts })
})

test('does not count other paths', () => {
  const paths = {
    '/api/v1/shortlinks/mine': { get: {} },
    '/api/v1/shortlinks/{a}/{b}': { get: {} },
    '/api/v2/shortlinks/{name}': { get: {} },
    '/api/v1/shortlinks/{name}/clicks/total': { get: {} },
  }
  expect(read({ paths })).toEqual(SPECIFICATION)
})

test('follows a reference into an array', () => {
  const search = { in: 'query', name: 'q' }
  const paths = { [LIST]: { get: { parameters: [{ $ref: '#/x/1' }] } } }
  expect(read({ paths, x: [{}, search] })).toEqual({ ...SPECIFICATION, search: true })
})

test('follows references within the document', () => {
  const schema = { $ref: '#/components/schemas/Create%20link' }
  const document = {
    paths: {
      [LINK]: { $ref: '#/components/pathItems/one~1link' },
      [LIST]: { parameters: [{ $ref: '#/components/parameters/Search' }], get: {} },
      [CREATE]: { post: { requestBody: { $ref: '#/components/requestBodies/Create' } } },
    },
    components: {
      pathItems: { 'one/link': { patch: {} } },
      parameters: { Search: { in: 'query', name: 'q' } },
      requestBodies: {
        Create: { content: { 'Multipart/Form-Data; charset=utf-8': { schema } } },
      },
      schemas: {
        'Create link': { allOf: [{ type: 'object' }, { $ref: '#/components/schemas/Expiring' }] },
        Expiring: { properties: { expires_at: true } },
      },
    },
  }
  expect(read(document)).toEqual({
    ...SPECIFICATION,
    update: true,
    turnOff: true,
    keepsAddresses: true,
    search: true,
    fields: [...SPECIFICATION.fields, 'expires_at'],
    editable: ALL_OFFERS.editable,
    clearable: ALL_OFFERS.clearable,
  })
})

const paths = (count: number, name: (index: number) => string): object =>
  Object.fromEntries(numbered(count, (i) => [name(i), { $ref: '#/x' }]))

// Without one limit for the whole document, each of these takes minutes or all memory.
test.each([
  [
    'servers of many slashes, each read for many paths',
    {
      paths: paths(2_000, (i) => `/${i}`),
      x: { servers: numbered(20, () => ({ url: `http://h/${'/'.repeat(1_900)}a` })) },
    },
  ],
  [
    'many servers and a long path',
    { servers: numbered(20_000, (i) => ({ url: `/${i}` })), paths: { ['/a'.repeat(300_000)]: {} } },
  ],
  [
    'parameters that refer to each other, in many paths',
    {
      paths: paths(500, (i) => `${i}${LIST}`),
      x: { get: { parameters: numbered(200, () => ({ $ref: '#/y/0' })) } },
      y: numbered(9_000, (i) => ({ $ref: `#/y/${i + 1}` })),
    },
  ],
  [
    'a long name of a parameter that many others refer to',
    {
      paths: { [LIST]: { get: { parameters: numbered(9_000, () => ({ $ref: '#/x' })) } } },
      x: { in: 'query', name: 'Q'.repeat(16_000_000) },
    },
  ],
  [
    'types of a form that many paths share',
    {
      paths: paths(6_000, (i) => `${i}${CREATE}`),
      x: {
        post: { requestBody: { content: Object.fromEntries(numbered(30_000, (i) => [i, {}])) } },
      },
    },
  ],
])('reads little of a document with %s', (_, document) => {
  expect(read(document)).toEqual(SPECIFICATION)
})

test.each([
  ['a reference to itself', { $ref: '#/x/a' }, { x: { a: { $ref: '#/x/a' } } }],
  ['a circle of schemas', { $ref: '#/x/a' }, { x: { a: { allOf: [{ $ref: '#/x/a' }] } } }],
  [
    'schemas that multiply',
    { $ref: '#/x/a' },
    { x: { a: { allOf: numbered(100, () => ({ $ref: '#/x/a' })) } } },
  ],
  ['anyOf, which is not read', { anyOf: [{ properties: { expires_at: true } }] }, {}],
  ['another document', { $ref: 'https://h.example/x.json#/a' }, {}],
  ['an inherited member', { $ref: '#/__proto__/toString' }, {}],
  ['a field that must not be sent', { properties: { expires_at: false } }, {}],
  ['no object', 7, {}],
])('offers nothing because of %s in the schema of a create', (_, schema, more) => {
  const content = { 'multipart/form-data': { schema } }
  const document = { paths: { [CREATE]: { post: { requestBody: { content } } } }, ...more }
  expect(read(document)).toEqual(SPECIFICATION)
})

test.each([
  ['nothing', ''],
  ['HTML', '<h1>Docs</h1>'],
  ['other JSON', '{"paths":{}}'],
  ['a list', '[]'],
  ['odd members', '{"openapi":1,"servers":7,"paths":[null,{"get":1}]}'],
  ['a document that is nested too deep', `{"openapi":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
  ['a document with too many values', `{"openapi":[${'1,'.repeat(100_000)}1]}`],
])('offers nothing if the response is %s', (_, text) => {
  expect(parseCapabilities(text)).toEqual(SPECIFICATION)
})

const { service, client } = await testClientForAll()

test('reads the document below the base path, with the API key', async () => {
  service.answers(() => ({ status: 200, body: offersDocument() }))
  expect(await client.readCapabilities()).toEqual(ALL_OFFERS)
  expect(service.received).toMatchObject([
    { method: 'GET', url: '/prefix/api/v1/openapi.json', headers: { 'x-api-key': API_KEY } },
  ])
})

test.each([
  [404, SPECIFICATION],
  [403, SPECIFICATION],
  [301, SPECIFICATION],
  [401, undefined],
  [429, undefined],
  [500, undefined],
  ['destroy', undefined],
] as const)('after the response %s, the offers are %j', async (answer, offers) => {
  service.answers(() => (answer === 'destroy' ? answer : failure(answer, 'X')))
  expect(await client.readCapabilities()).toEqual(offers)
  expect(service.received).toHaveLength(1)
})

test('does not wait longer than a few seconds', async () => {
  const transport = createTransport()
  const limits: number[] = []
  const timeout = (ms: number) => {
    limits.push(ms)
    return AbortSignal.abort(new DOMException('too late', 'TimeoutError'))
  }
  const { baseUrl } = service
  const clock = { ...systemClock, timeout }
  const late = createLinkClient({ transport, baseUrl, apiKey: 'k', clock })
  expect(await late.readCapabilities()).toBeUndefined()
  expect(limits).toEqual([4_000])
  await transport.close()
})
