import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  CREATE_PATH,
  DOMAINS_PATH,
  LIST_PATH,
  SHORTLINKS_PATH,
} from '../../../src/contract/endpoints.ts'
import { addApiKey } from '../../../src/service/store/api-keys.ts'
import {
  call,
  callLink,
  getList,
  postForm,
  type ServiceResponse,
} from '../../support/service-calls.ts'
import { PNG } from '../../support/images.ts'
import { startService, type RunningService } from '../../support/service.ts'

interface Media {
  schema: object
  example?: Record<string, string>
}

interface Operation {
  operationId: string
  requestBody: { content: Partial<Record<string, Media>> }
  responses: Record<string, { content: Partial<Record<string, Media>> }>
}

type Paths = Record<string, Record<string, Operation>>

let service: RunningService
let document: { info: { version: string }; paths: Paths }

beforeAll(async () => {
  service = await startService()
  const { body } = await call(`${service.baseUrl}/api/v1/openapi.json`)
  document = body as typeof document
})
afterAll(() => service.close())

const ajv = new Ajv2020({ strict: false, validateFormats: false })

const OPERATIONS = {
  create: [CREATE_PATH, 'post'],
  list: [LIST_PATH, 'get'],
  domains: [DOMAINS_PATH, 'get'],
  read: [`${SHORTLINKS_PATH}/{name}`, 'get'],
  change: [`${SHORTLINKS_PATH}/{name}`, 'patch'],
  delete: [`${SHORTLINKS_PATH}/{name}`, 'delete'],
  clicks: [`${SHORTLINKS_PATH}/{name}/clicks`, 'get'],
} as const

/** What the document says about a response. */
function mediaOf(operation: keyof typeof OPERATIONS, status: number): Media | undefined {
  const [path, method] = OPERATIONS[operation]
  const described = document.paths[path]?.[method]
  return described?.responses[String(status)]?.content['application/json']
}

/** Compares a real response with what the document says about it. */
function expectDescribed(operation: keyof typeof OPERATIONS, response: ServiceResponse): void {
  const media = mediaOf(operation, response.status)
  expect(media, `${operation} can return ${response.status}`).toBeDefined()
  ajv.validate(media?.schema ?? {}, response.body)
  expect(ajv.errors, response.text).toBeNull()
}

test('the document is OpenAPI 3.1, version 1.0.0, and available to other sites', async () => {
  const { headers, body } = await call(`${service.baseUrl}/api/v1/openapi.json`)
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(body).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
  expect(await new Validator().validate(body as Record<string, unknown>)).toEqual({ valid: true })
})

test('describes these operations and no others', () => {
  expect(Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
    ['/api/v1/shortlinks/create_shortlink', ['post']],
    ['/api/v1/shortlinks/get_shortlinks', ['get']],
    ['/api/v1/domains', ['get']],
    ['/api/v1/shortlinks/{name}', ['get', 'patch', 'delete']],
    ['/api/v1/shortlinks/{name}/clicks', ['get']],
  ])
  const ids = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .map(({ operationId }) => operationId)
  expect(ids).toEqual([
    'createShortlink',
    'getShortlinks',
    'getDomains',
    'getShortlink',
    'updateShortlink',
    'deleteShortlink',
    'getShortlinkClicks',
  ])
})

test('the example request works, and the example responses match their schemas', async () => {
  const example =
    document.paths[CREATE_PATH]?.['post']?.requestBody.content['multipart/form-data']?.example
  const response = await postForm(service, example ?? {})
  expect(response.status).toBe(200)
  expectDescribed('create', response)
  for (const item of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    for (const response of Object.values(item.responses)) {
      const { schema = {}, example: shown } = response.content['application/json'] ?? {}
      if (shown) expect(ajv.validate(schema, shown), JSON.stringify(ajv.errors)).toBe(true)
    }
  }
})

test('real responses match the schemas', async () => {
  const full = await postForm(service, {
    destination_url: 'https://example.com/full',
    domain: 'default',
    title: 'Everything',
    is_custom_preview: 'true',
    preview_title: 'Title',
    preview_description: 'Description',
    preview_image: new File([PNG], 'card.png'),
    qr_code_enabled: 'true',
  })
  const { apiKey } = service
  const { db } = service.database
  const { owner_id: ownerId } = await db
    .selectFrom('api_keys')
    .selectAll()
    .executeTakeFirstOrThrow()
  const keyWith = async (more: Partial<Parameters<typeof addApiKey>[1]>) => {
    const { key } = await addApiKey(db, { ownerId, name: 'k', permissions: 'all', ...more }, 0)
    return { baseUrl: service.baseUrl, apiKey: key }
  }
  const readOnly = await keyWith({ permissions: 'read_only' })
  const createOnly = await keyWith({ permissions: 'restricted', scopes: ['shortlinks:create'] })
  const once = await keyWith({ requestsPerMinute: 1 })
  await getList(once)
  const fields = { destination_url: 'https://example.com/new', domain: 'default' }
  const anonymous = { baseUrl: service.baseUrl, apiKey: 'none' }
  const noForm = { method: 'POST', headers: { 'x-api-key': apiKey }, body: '{}' }
  const creates = [
    full,
    await call(service.baseUrl + CREATE_PATH, noForm),
    await postForm(anonymous, fields),
    await postForm(readOnly, fields),
    await postForm(service, { ...fields, destination_url: 'https://example.com/full' }),
    await postForm(service, { ...fields, back_half: 'spring-sale' }),
    await postForm(service, { ...fields, color: 'red' }),
    await postForm(once, fields),
  ]
  await db.updateTable('owners').set({ max_links: 1 }).execute()
  creates.push(await postForm(service, fields))
  await db.updateTable('owners').set({ max_links: null }).execute()
  const lists = [
    await getList(service),
    await getList(anonymous),
    await getList(createOnly),
    await getList(service, 'page=0'),
    await getList(once),
  ]
  const { name } = (full.body as { data: { shortlink: { name: string } } }).data.shortlink
  const getClicks = (key: string, link = name, query = '') =>
    call(`${service.baseUrl}${SHORTLINKS_PATH}/${link}/clicks?${query}`, {
      headers: { 'x-api-key': key },
    })
  const clicks = [
    await getClicks(apiKey),
    await getClicks('none'),
    await getClicks(createOnly.apiKey),
    await getClicks(apiKey, 'unknown'),
    await getClicks(apiKey, name, 'from=x'),
    await getClicks(once.apiKey),
  ]
  const codes = (responses: ServiceResponse[]) =>
    responses.map(({ status, body }) => {
      const { error } = body as { error?: { code: string } }
      return error ? `${status} ${error.code}` : status
    })
  expect(codes(creates)).toEqual([
    200,
    '400 BAD_REQUEST',
    '401 AUTHENTICATION_REQUIRED',
    '403 PERMISSION_DENIED',
    '409 DUPLICATE_DESTINATION_URL',
    '409 BACK_HALF_CONFLICT',
    '422 VALIDATION_ERROR',
    '429 RATE_LIMIT_EXCEEDED',
    '403 FEATURE_LIMIT_EXCEEDED',
  ])
  expect(codes(lists)).toEqual([
    200,
    '401 AUTHENTICATION_REQUIRED',
    '403 PERMISSION_DENIED',
    '422 VALIDATION_ERROR',
    '429 RATE_LIMIT_EXCEEDED',
  ])
  expect(codes(clicks)).toEqual([
    200,
    '401 AUTHENTICATION_REQUIRED',
    '403 PERMISSION_DENIED',
    '404 NOT_FOUND',
    '422 VALIDATION_ERROR',
    '429 RATE_LIMIT_EXCEEDED',
  ])
  for (const response of clicks) expectDescribed('clicks', response)
  for (const response of creates) expectDescribed('create', response)
  for (const response of lists) expectDescribed('list', response)
  // Apart from failures of the service, the document describes only what was seen.
  const seen = (responses: ServiceResponse[]) =>
    new Set([...responses.map(({ status }) => status), 500, 503])
  const described = (path: string, method: string) =>
    new Set(Object.keys(document.paths[path]?.[method]?.responses ?? {}).map(Number))
  expect(described(CREATE_PATH, 'post')).toEqual(seen(creates))
  expect(described(LIST_PATH, 'get')).toEqual(seen(lists))
  expect(described(...OPERATIONS.clicks)).toEqual(seen(clicks))
})

test('real responses of a single link match the schemas', async () => {
  const { db } = service.database
  const { owner_id: ownerId } = await db
    .selectFrom('api_keys')
    .selectAll()
    .executeTakeFirstOrThrow()
  const keyWith = async (more: Partial<Parameters<typeof addApiKey>[1]>) => {
    const { key } = await addApiKey(db, { ownerId, name: 'k', permissions: 'all', ...more }, 0)
    return { baseUrl: service.baseUrl, apiKey: key }
  }
  const callers = [
    service,
    { baseUrl: service.baseUrl, apiKey: 'none' },
    await keyWith({ permissions: 'restricted', scopes: ['shortlinks:create'] }),
    await keyWith({ requestsPerMinute: 1 }),
  ]
  await getList(callers[3] ?? service)
  const newLink = async (fields = {}) => {
    const destination_url = `https://example.com/single/${Math.random()}`
    const { body } = await postForm(service, { destination_url, domain: 'default', ...fields })
    return (body as { data: { shortlink: { name: string } } }).data.shortlink.name
  }
  await newLink({ destination_url: 'https://example.com/there', back_half: 'there' })
  const name = await newLink()
  const responses: Record<'read' | 'change' | 'delete', ServiceResponse[]> = {
    read: [],
    change: [],
    delete: [],
  }
  const change = async (fields: Record<string, string | Blob>, headers = {}) => {
    responses.change.push(await callLink(service, 'PATCH', name, { fields, headers }))
  }
  await change({
    title: 'Everything',
    is_custom_preview: 'true',
    preview_title: 'Title',
    preview_image: new File([PNG], 'card.png'),
    qr_code_color: '#000000',
    utm_id: '7',
    expires_at: '2999-01-01',
  })
  await change({ enabled: 'false', title: '', preview_image: '' })
  for (const at of [2, 1, 0]) {
    const caller = callers[at + 1] ?? service
    responses.read.push(await callLink(caller, 'GET', name))
    responses.change.push(await callLink(caller, 'PATCH', name, { fields: {} }))
    responses.delete.push(await callLink(caller, 'DELETE', name))
  }
  await change({ color: 'red' })
  await change({ title: 'x' }, { 'if-match': '"1"' })
  await change({ back_half: 'there' })
  await change({ destination_url: 'https://example.com/there' })
  const init = { method: 'PATCH', headers: { 'x-api-key': service.apiKey }, body: '{}' }
  responses.change.push(await call(`${service.baseUrl}${SHORTLINKS_PATH}/${name}`, init))
  responses.read.push(await callLink(service, 'GET', name))
  const stale = { headers: { 'if-match': '"1"' } }
  responses.delete.push(await callLink(service, 'DELETE', name, stale))
  responses.delete.push(await callLink(service, 'DELETE', name))
  responses.read.push(await callLink(service, 'GET', name))
  await change({})
  responses.delete.push(await callLink(service, 'DELETE', name))

  for (const operation of ['read', 'change', 'delete'] as const) {
    for (const response of responses[operation]) expectDescribed(operation, response)
    const [path, method] = OPERATIONS[operation]
    const described = Object.keys(document.paths[path]?.[method]?.responses ?? {}).map(Number)
    const seen = responses[operation].map(({ status }) => status)
    expect(new Set(described)).toEqual(new Set([...seen, 500, 503]))
  }
})

test('accepts exactly the values that the schema accepts', async () => {
  const schema =
    document.paths[CREATE_PATH]?.['post']?.requestBody.content['multipart/form-data']?.schema ?? {}
  const valid = { destination_url: 'https://example.com/limits', domain: 'default' }
  const values: Record<string, string>[] = [
    { title: 'x'.repeat(200) },
    { title: 'x'.repeat(201) },
    { utm_id: 'x'.repeat(256) },
    { preview_description: 'x'.repeat(501) },
    { back_half: 'not good' },
    { back_half: 'x'.repeat(101) },
    { qr_code_enabled: 'yes' },
    { qr_code_color: 'red' },
    { color: 'red' },
    { destination_url: `https://example.com/${'x'.repeat(1_980)}` },
    { destination_url: `https://example.com/${'x'.repeat(1_981)}` },
    { enabled: 'true' },
  ]
  const results = []
  for (const value of values) {
    const fields = { ...valid, ...value }
    const { status } = await postForm({ ...service }, fields)
    results.push([ajv.validate(schema, fields), status === 422])
  }
  expect(results.map(([allowed, rejected]) => allowed !== rejected)).toEqual(values.map(() => true))
})

test('a change accepts exactly the values that the schema accepts', async () => {
  const [path, method] = OPERATIONS.change
  const schema =
    document.paths[path]?.[method]?.requestBody.content['multipart/form-data']?.schema ?? {}
  const destination_url = 'https://example.com/changed-limits'
  const { body } = await postForm(service, { destination_url, domain: 'default' })
  const { name } = (body as { data: { shortlink: { name: string } } }).data.shortlink
  const values: Record<string, string>[] = [
    ...['title', 'utm_id', 'preview_title', 'qr_code_enabled', 'qr_code_color', 'expires_at'].map(
      (field) => ({ [field]: '' }),
    ),
    { enabled: 'true' },
    { enabled: '' },
    { enabled: 'yes' },
    { destination_url: '' },
    { domain: '' },
    { back_half: '' },
    { qr_code_color: 'red' },
    { qr_code_enabled: 'yes' },
    { color: '' },
  ]
  const results = []
  for (const fields of values) {
    const { status } = await callLink(service, 'PATCH', name, { fields })
    results.push([ajv.validate(schema, fields), status === 422])
  }
  expect(results.map(([allowed, rejected]) => allowed !== rejected)).toEqual(values.map(() => true))
})

test('/docs shows the document as a page', async () => {
  const { headers, text } = await call(`${service.baseUrl}/docs`)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  for (const word of [
    CREATE_PATH,
    LIST_PATH,
    'qr_code_color',
    'RATE_LIMIT_EXCEEDED',
    'X-API-Key',
    '/dashboard/keys',
  ]) {
    expect(text).toContain(word)
  }
  expect(text).not.toContain('<script')
})
