import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CREATE_PATH, LIST_PATH } from '../../../src/contract/endpoints.ts'
import { addApiKey } from '../../../src/service/store/api-keys.ts'
import { call, getList, postForm, type Answer } from '../../support/service-calls.ts'
import { PNG } from '../../support/images.ts'
import { startService, type RunningService } from '../../support/service.ts'

interface Media {
  schema: object
  example?: Record<string, string>
}

interface Operation {
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

/** Which operation answers with what, as the document has it. */
function mediaOf(operation: 'create' | 'list', status: number): Media | undefined {
  const described =
    operation === 'create'
      ? document.paths[CREATE_PATH]?.['post']
      : document.paths[LIST_PATH]?.['get']
  return described?.responses[String(status)]?.content['application/json']
}

/** Holds a real answer against what the document says of it. */
function expectDescribed(operation: 'create' | 'list', answer: Answer): void {
  const media = mediaOf(operation, answer.status)
  expect(media, `${operation} may answer ${answer.status}`).toBeDefined()
  ajv.validate(media?.schema ?? {}, answer.body)
  expect(ajv.errors, answer.text).toBeNull()
}

test('the document is one of OpenAPI 3.1, version 1.0.0, and open to tools elsewhere', async () => {
  const { headers, body } = await call(`${service.baseUrl}/api/v1/openapi.json`)
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(body).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
  expect(await new Validator().validate(body as Record<string, unknown>)).toEqual({ valid: true })
})

test('it describes the two operations, and no other', () => {
  expect(Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
    ['/api/v1/shortlinks/create_shortlink', ['post']],
    ['/api/v1/shortlinks/get_shortlinks', ['get']],
  ])
})

test('its example request works, and its example answers are of the form that it describes', async () => {
  const example =
    document.paths[CREATE_PATH]?.['post']?.requestBody.content['multipart/form-data']?.example
  const answer = await postForm(service, example ?? {})
  expect(answer.status).toBe(200)
  expectDescribed('create', answer)
  for (const item of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    for (const response of Object.values(item.responses)) {
      const { schema = {}, example: shown } = response.content['application/json'] ?? {}
      if (shown) expect(ajv.validate(schema, shown), JSON.stringify(ajv.errors)).toBe(true)
    }
  }
})

test('real answers are of the form that it describes', async () => {
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
  const { apiKey: full_key } = service
  const { db } = service.database
  const { owner_id: ownerId } = await db
    .selectFrom('api_keys')
    .selectAll()
    .executeTakeFirstOrThrow()
  const key = async (choice: Partial<Parameters<typeof addApiKey>[1]>) => {
    const made = await addApiKey(db, { ownerId, name: 'k', permissions: 'all', ...choice }, 0)
    return { baseUrl: service.baseUrl, apiKey: made.key }
  }
  const readOnly = await key({ permissions: 'read_only' })
  const createOnly = await key({ permissions: 'restricted', scopes: ['shortlinks:create'] })
  const once = await key({ requestsPerMinute: 1 })
  await getList(once)
  const wish = { destination_url: 'https://example.com/new', domain: 'default' }
  const nobody = { baseUrl: service.baseUrl, apiKey: 'none' }
  const noForm = { method: 'POST', headers: { 'x-api-key': full_key }, body: '{}' }
  const creates = [
    full,
    await call(service.baseUrl + CREATE_PATH, noForm),
    await postForm(nobody, wish),
    await postForm(readOnly, wish),
    await postForm(service, { ...wish, destination_url: 'https://example.com/full' }),
    await postForm(service, { ...wish, back_half: 'spring-sale' }),
    await postForm(service, { ...wish, colour: 'red' }),
    await postForm(once, wish),
  ]
  await db.updateTable('owners').set({ max_links: 1 }).execute()
  creates.push(await postForm(service, wish))
  await db.updateTable('owners').set({ max_links: null }).execute()
  const lists = [
    await getList(service),
    await getList(nobody),
    await getList(createOnly),
    await getList(service, 'page=0'),
    await getList(once),
  ]
  const codes = (answers: Answer[]) =>
    answers.map(({ status, body }) => {
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
  for (const answer of creates) expectDescribed('create', answer)
  for (const answer of lists) expectDescribed('list', answer)
  // Nothing is described that was not seen, but for faults of the service itself.
  const seen = (answers: Answer[]) => new Set([...answers.map(({ status }) => status), 500])
  const described = (path: string, method: string) =>
    new Set(Object.keys(document.paths[path]?.[method]?.responses ?? {}).map(Number))
  expect(described(CREATE_PATH, 'post')).toEqual(seen(creates))
  expect(described(LIST_PATH, 'get')).toEqual(seen(lists))
})

test('a value is refused where the document’s schema refuses it, and else taken', async () => {
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
    { colour: 'red' },
    { destination_url: `https://example.com/${'x'.repeat(1_980)}` },
    { destination_url: `https://example.com/${'x'.repeat(1_981)}` },
  ]
  const outcomes = []
  for (const value of values) {
    const fields = { ...valid, ...value }
    const { status } = await postForm({ ...service }, fields)
    outcomes.push([ajv.validate(schema, fields), status === 422])
  }
  expect(outcomes.map(([allowed, refused]) => allowed !== refused)).toEqual(values.map(() => true))
})

test('/docs is a readable page of it', async () => {
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
