import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import {
  CREATE_PATH,
  DOMAINS_PATH,
  LIST_PATH,
  PEOPLE_PATH,
  REPORTS_PATH,
  SESSIONS_PATH,
  SHORTLINKS_PATH,
  SIGN_INS_PATH,
  TAGS_PATH,
} from '../../../src/contract/endpoints.ts'
import { requestSignIn } from '../../support/dashboard.ts'
import { withService } from '../../support/fixtures.ts'
import { PNG } from '../../support/images.ts'
import {
  call,
  callLink,
  codeIn,
  getList,
  keyWith,
  newLink,
  postForm,
  request,
  type Caller,
  type Fields,
  type ServiceResponse,
} from '../../support/service-calls.ts'

interface Media {
  schema: object
  example?: Record<string, string>
}

interface Operation {
  operationId: string
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content: Partial<Record<string, Media>> }>
}

const { test, service } = withService()
let document: { info: { version: string }; paths: Record<string, Record<string, Operation>> }

test.beforeAll(async ({ service }) => {
  const { body } = await call(`${service.baseUrl}/api/v1/openapi.json`)
  document = body as typeof document
})

const ajv = new Ajv2020({ strict: false, validateFormats: false })

const OPERATIONS = {
  create: [CREATE_PATH, 'post'],
  list: [LIST_PATH, 'get'],
  domains: [DOMAINS_PATH, 'get'],
  report: [REPORTS_PATH, 'get'],
  tags: [TAGS_PATH, 'get'],
  read: [`${SHORTLINKS_PATH}/{name}`, 'get'],
  change: [`${SHORTLINKS_PATH}/{name}`, 'patch'],
  delete: [`${SHORTLINKS_PATH}/{name}`, 'delete'],
  clicks: [`${SHORTLINKS_PATH}/{name}/clicks`, 'get'],
  signIn: [SIGN_INS_PATH, 'post'],
  endSessions: [SESSIONS_PATH, 'delete'],
  erase: [`${PEOPLE_PATH}/{id}`, 'delete'],
} as const

type Name = keyof typeof OPERATIONS

function described(name: Name): Operation {
  const [path, method] = OPERATIONS[name]
  const operation = document.paths[path]?.[method]
  if (!operation) throw new Error(`${name} is not described`)
  return operation
}

/** The schema and the example of an operation's form. */
const formOf = (name: Name): Media =>
  described(name).requestBody?.content['multipart/form-data'] ?? { schema: {} }

/** Compares a real response with what the document says about it. */
function expectDescribed(name: Name, response: ServiceResponse): void {
  const { status } = response
  const media = described(name).responses[String(status)]?.content['application/json']
  expect(media, `${name} can return ${status}`).toBeDefined()
  ajv.validate(media?.schema ?? {}, response.body)
  expect(ajv.errors, response.text).toBeNull()
  expect(response.headers.get('cache-control'), name).toBe('no-store')
}

test('the document is OpenAPI 3.1, version 1.0.0, and available to other sites', async () => {
  const { headers, body } = await call(`${service.baseUrl}/api/v1/openapi.json`)
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(body).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
  expect(await new Validator().validate(body as Record<string, unknown>)).toEqual({ valid: true })
})

test('describes these operations and no others', () => {
  const found = Object.entries(document.paths).flatMap(([path, { servers: _, ...item }]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  )
  const operations = Object.values(OPERATIONS).map(([path, method]) => `${method} ${path}`)
  expect(found.sort()).toEqual([...operations, 'get /{back_half}/qr.png'].sort())
})

test('only a create says what happens to a field that is left out', () => {
  const texts = (name: Name) => JSON.stringify(formOf(name).schema)
  for (const text of ['Default: false.', 'Default: never.', 'the service generates one']) {
    expect(texts('create')).toContain(text)
    expect(texts('change')).not.toContain(text)
  }
})

test('the example request works, and the example responses match their schemas', async () => {
  const response = await postForm(service, formOf('create').example ?? {})
  expect(response.status).toBe(200)
  expectDescribed('create', response)
  for (const item of Object.values(document.paths).flatMap(({ servers: _, ...path }) =>
    Object.values(path),
  )) {
    for (const response of Object.values(item.responses)) {
      const { schema = {}, example: shown } = response.content['application/json'] ?? {}
      if (shown) expect(ajv.validate(schema, shown), JSON.stringify(ajv.errors)).toBe(true)
    }
  }
})

const EVERYTHING = {
  title: 'Everything',
  is_custom_preview: 'true',
  preview_title: 'Title',
  preview_description: 'Description',
  preview_image: new File([PNG], 'card.png'),
  qr_code_enabled: 'true',
  qr_code_color: '#000000',
  utm_id: '7',
  expires_at: '2999-01-01',
  tags: 'spring, print',
}

test('real responses match the schemas, and nothing else is described', async () => {
  const { db } = service.database
  const anonymous = { baseUrl: service.baseUrl, apiKey: 'none' }
  const readOnly = await keyWith(service, { permissions: 'read_only' })
  const createOnly = await keyWith(service, { scopes: ['shortlinks:create'] })
  const once = await keyWith(service, { requestsPerMinute: 1 })
  await getList(once)

  const fields = { destination_url: 'https://example.com/new', domain: 'default' }
  const create = (more: Fields = {}, caller: Caller = service) =>
    postForm(caller, { ...fields, ...more })
  const ofFull = { destination_url: 'https://example.com/full' }
  const full = await create({ ...EVERYTHING, ...ofFull, back_half: 'full' })
  const { name } = await newLink(service)
  const change = (fields: Fields, headers = {}, caller: Caller = service) =>
    callLink(caller, 'PATCH', name, { fields, headers })
  const read = (caller: Caller = service) => callLink(caller, 'GET', name)
  const remove = (headers = {}, caller: Caller = service) =>
    callLink(caller, 'DELETE', name, { headers })
  /** A call without a form, of which `rest` is the end of the path, or the query. */
  const caller =
    (method: 'GET' | 'DELETE', path: string, usual = '') =>
    (caller: Caller = service, rest = usual) =>
      request(caller, method, path + rest)
  const clicks = caller('GET', `${SHORTLINKS_PATH}/`, `${name}/clicks`)
  const domains = caller('GET', DOMAINS_PATH)
  const report = caller('GET', REPORTS_PATH)
  const tags = caller('GET', TAGS_PATH)
  const endSessions = caller('DELETE', SESSIONS_PATH)
  const erase = caller('DELETE', `${PEOPLE_PATH}/`, 'T1-U1')
  const withoutForm = (path: string, method: string) =>
    call(service.baseUrl + path, { method, headers: { 'x-api-key': service.apiKey }, body: '{}' })
  const overQuota = async () => {
    await db.updateTable('owners').set({ max_links: 1 }).execute()
    const refused = await create()
    await db.updateTable('owners').set({ max_links: null }).execute()
    return refused
  }
  const stale = { 'if-match': '"1"' }

  const [ok, noForm] = ['200', '400 BAD_REQUEST']
  const duplicate = '409 DUPLICATE_DESTINATION_URL'
  const [gone, changed] = ['404 NOT_FOUND', '412 PRECONDITION_FAILED']
  const invalid = '422 VALIDATION_ERROR'
  const calls: Record<Name, (caller: Caller) => Promise<ServiceResponse>> = {
    list: getList,
    domains,
    report,
    tags,
    read,
    clicks,
    endSessions,
    erase,
    create: (caller) => create({}, caller),
    change: (caller) => change({}, {}, caller),
    delete: (caller) => remove({}, caller),
    signIn: requestSignIn,
  }
  const responses: [Name, code: string, ServiceResponse][] = []
  for (const operation of Object.keys(calls) as Name[]) {
    const send = calls[operation]
    responses.push(
      [operation, '401 AUTHENTICATION_REQUIRED', await send(anonymous)],
      [operation, '429 RATE_LIMIT_EXCEEDED', await send(once)],
    )
    if (operation === 'domains') continue // Every key can list them.
    const weak = operation === 'create' ? readOnly : createOnly
    responses.push([operation, '403 PERMISSION_DENIED', await send(weak)])
  }
  responses.push(
    ['create', ok, full],
    ['create', noForm, await withoutForm(CREATE_PATH, 'POST')],
    ['create', '403 FEATURE_LIMIT_EXCEEDED', await overQuota()],
    ['create', duplicate, await create(ofFull)],
    ['create', '409 BACK_HALF_CONFLICT', await create({ back_half: 'full' })],
    ['create', invalid, await create({ color: 'red' })],
    ['list', ok, await getList(service)],
    ['list', invalid, await getList(service, 'page=0')],
    ['domains', ok, await domains()],
    ['domains', invalid, await domains(service, '?page=0')],
    ['report', ok, await report()],
    ['report', invalid, await report(service, '?group_by=x')],
    ['tags', ok, await tags()],
    ['clicks', ok, await clicks()],
    ['clicks', gone, await clicks(service, 'unknown/clicks')],
    ['clicks', invalid, await clicks(service, `${name}/clicks?from=x`)],
    ['signIn', '201', await requestSignIn(service)],
    ['signIn', noForm, await withoutForm(SIGN_INS_PATH, 'POST')],
    ['signIn', invalid, await requestSignIn(service, { workspace: '' })],
    ['endSessions', ok, await endSessions()],
    ['endSessions', invalid, await endSessions(service, '?person=x')],
    ['erase', ok, await erase()],
    ['erase', invalid, await erase(service, '%00')],
    ['change', ok, await change(EVERYTHING)],
    ['read', ok, await read()],
    ['change', ok, await change({ enabled: 'false', title: '', preview_image: '' })],
    ['read', ok, await read()],
    ['change', noForm, await withoutForm(`${SHORTLINKS_PATH}/${name}`, 'PATCH')],
    ['change', '409 BACK_HALF_CONFLICT', await change({ back_half: 'full' })],
    ['change', duplicate, await change(ofFull)],
    ['change', changed, await change({ title: 'x' }, stale)],
    ['change', invalid, await change({ color: 'red' })],
    ['delete', changed, await remove(stale)],
    ['delete', invalid, await remove({ 'x-created-by': 'U1 Ana García' })],
    ['read', noForm, await callLink(service, 'GET', '%zz')],
    ['clicks', noForm, await clicks(service, '%zz/clicks')],
    ['delete', noForm, await callLink(service, 'DELETE', '%zz')],
    ['delete', ok, await remove()],
    ['delete', gone, await remove()],
    ['read', gone, await read()],
    ['change', gone, await change({})],
  )
  for (const [operation, code, response] of responses) {
    expect([operation, codeIn(response)]).toEqual([operation, code])
    expectDescribed(operation, response)
  }
  // Failures of the service can’t be seen here, nor requests that no route can read.
  for (const operation of Object.keys(OPERATIONS) as Name[]) {
    const seen = responses.flatMap(([name, , { status }]) => (name === operation ? [status] : []))
    const statuses = Object.keys(described(operation).responses).map(Number)
    expect(new Set(statuses)).toEqual(new Set([...seen, 400, 500, 503]))
  }
})

const LIMITS: Record<string, string>[] = [
  ...[200, 201].flatMap((length) => [
    { title: 'x'.repeat(length) },
    { title: '🎉'.repeat(length) },
    { destination_url: `https://example.com/${'x'.repeat(length + 1_780)}` },
  ]),
  ...[{ utm_id: 'x'.repeat(256) }, { preview_description: 'x'.repeat(501) }],
  ...[{ back_half: 'not good' }, { back_half: 'x'.repeat(101) }],
  ...[{ qr_code_enabled: 'yes' }, { qr_code_color: 'red' }, { color: 'red' }, { enabled: 'true' }],
]

const EMPTY: Record<string, string>[] = [
  ...['title', 'utm_id', 'preview_title', 'qr_code_enabled', 'qr_code_color', 'expires_at'],
  ...['enabled', 'destination_url', 'domain', 'back_half', 'color'],
].map((field) => ({ [field]: '' }))

test.for(['create', 'change'] as const)(
  'a %s accepts exactly the values that the schema accepts',
  async (operation) => {
    const valid = { destination_url: `https://example.com/${operation}`, domain: 'default' }
    const { name } = await newLink(service, valid)
    const { schema } = formOf(operation)
    const isCreate = operation === 'create'
    for (const given of isCreate ? LIMITS : [...LIMITS, ...EMPTY, { enabled: 'yes' }]) {
      const fields = isCreate ? { ...valid, ...given } : given
      const { status } = isCreate
        ? await postForm(service, fields)
        : await callLink(service, 'PATCH', name, { fields })
      const isAllowed = ajv.validate(schema, fields)
      expect({ given, isRejected: status === 422 }).toEqual({ given, isRejected: !isAllowed })
    }
  },
)

test('/docs shows the document as a page', async () => {
  const { headers, text } = await call(`${service.baseUrl}/docs`)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  const words = ['qr_code_color', 'RATE_LIMIT_EXCEEDED', 'X-API-Key', '/dashboard/keys']
  for (const word of [CREATE_PATH, LIST_PATH, ...words]) expect(text).toContain(word)
  expect(text).toContain('as <code>T0TEST-U0ANA Ana%20Garc%C3%ADa</code>. The link and')
  expect(text).toContain('The scope is <code>dashboard:sign_in</code>, which')
  expect(text).not.toContain('`')
  expect(text).not.toContain('<script')
})
