import fc from 'fast-check'
import { connect } from 'node:net'
import { expect } from 'vitest'
import { createRequest } from '../../src/contract/link-requests.ts'
import { CREATE_PATH, LIST_PATH } from '../../src/contract/endpoints.ts'
import { ERROR_STATUS, errorEnvelope } from '../../src/contract/error-envelope.ts'
import { createdEnvelope } from '../../src/contract/extension-calls.ts'
import { linkList } from '../../src/service/api/list-links.ts'
import { unicodeText } from '../support/unicode-text.ts'
import { call, getList, postForm, type ServiceResponse } from '../support/service-calls.ts'
import { withService } from '../support/fixtures.ts'

/** Few enough to run every time. Try more with `FC_RUNS=5000`. */
const numRuns = Number(process.env['FC_RUNS'] ?? 60)

const { test, service } = withService()
test.beforeAll(({ service: { database } }) =>
  database.db.updateTable('api_keys').set({ requests_per_minute: 1e9 }).execute(),
)

/** The response must be the envelope with its own status, and never a 500. */
function expectEnvelope({ status, body, text }: ServiceResponse): void {
  const { error } = errorEnvelope.strict().parse(body)
  expect(status, text).toBeLessThan(500)
  expect(error.status_code).toBe(status)
  expect(ERROR_STATUS).toHaveProperty(error.code, status)
}

const anyText = fc.oneof(
  unicodeText({ maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 50 }),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom('true', 'false', 'default', '#000000', 'x'.repeat(3_000), '', '\0', '__proto__'),
)

const fieldName = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...Object.keys(createRequest.shape)) },
  fc.string({ unit: 'grapheme', maxLength: 20 }),
)

const file = fc
  .record({ name: fc.string({ maxLength: 20 }), bytes: fc.uint8Array({ maxLength: 400 }) })
  .map(({ name, bytes }) => new File([new Uint8Array(bytes)], name))

test('responds to any fields with a link or the envelope', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fieldName, fc.oneof({ weight: 9, arbitrary: anyText }, file), { maxKeys: 20 }),
      fc.boolean(),
      async (fields, complete) => {
        const base = { destination_url: 'https://example.com/', domain: 'default' }
        const response = await postForm(service, complete ? { ...fields, ...base } : fields)
        if (response.status === 200) createdEnvelope.strict().parse(response.body)
        else expectEnvelope(response)
      },
    ),
    { numRuns },
  )
})

test('responds to any body of any content type with the envelope', async () => {
  const contentType = fc.constantFrom(
    'multipart/form-data; boundary=b',
    'multipart/form-data',
    'multipart/mixed; boundary=b',
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
  )
  const part = fc.oneof(
    fc.constantFrom(
      '--b\r\n',
      '\r\n--b--\r\n',
      'content-disposition: form-data; name="title"\r\n\r\n',
      'content-disposition: form-data; name="preview_image"; filename="a.png"\r\n',
      'content-type: text/plain; charset=utf-16\r\n\r\n',
      'content-transfer-encoding: base64\r\n\r\n',
    ),
    unicodeText({ maxLength: 60 }),
  )
  await fc.assert(
    fc.asyncProperty(contentType, fc.array(part, { maxLength: 12 }), async (type, parts) => {
      const headers = { 'x-api-key': service.apiKey, 'content-type': type }
      const body = parts.join('')
      expectEnvelope(await call(service.baseUrl + CREATE_PATH, { method: 'POST', headers, body }))
    }),
    { numRuns },
  )
})

test('responds to any query with a page or the envelope', async () => {
  const name = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('page', 'per_page', 'sort_by', 'order') },
    unicodeText({ maxLength: 10 }),
  )
  const value = fc.oneof(
    fc.integer().map(String),
    fc.constantFrom('asc', 'desc', 'most_recent', 'updated_at'),
    anyText,
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 5 }), async (pairs) => {
      const response = await getList(service, new URLSearchParams(pairs).toString())
      if (response.status === 200) linkList.strict().parse(response.body)
      else expectEnvelope(response)
    }),
    { numRuns },
  )
})

test('responds to any key and Idempotency-Key with a link or the envelope', async () => {
  const headerText = fc
    .string({ maxLength: 60 })
    .map((text) => text.replaceAll(/[^\x21-\x7e]/g, '').trim())
  await fc.assert(
    fc.asyncProperty(headerText, headerText, async (apiKey, idempotencyKey) => {
      const fields = { destination_url: 'https://example.com/keyed', domain: 'default' }
      expectEnvelope(await postForm({ baseUrl: service.baseUrl, apiKey }, fields))
      const response = await postForm(service, fields, { 'idempotency-key': idempotencyKey })
      if (response.status !== 200) expectEnvelope(response)
    }),
    { numRuns: Math.ceil(numRuns / 3) },
  )
})

const FORBIDDEN = [
  ...['javascript:', 'JaVaScRiPt:', ' javascript:', 'java\tscript:'],
  ...['data:', 'file:', 'vbscript:', 'https://u:p@'],
]

test('redirects any accepted destination to where a browser would go', async () => {
  let number = 0
  const destination = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    anyText,
    fc
      .tuple(fc.constantFrom(...FORBIDDEN), fc.string({ maxLength: 20 }))
      .map((parts) => parts.join('')),
  )
  await fc.assert(
    fc.asyncProperty(destination, async (destination_url) => {
      const back_half = `property-${number++}`
      const response = await postForm(service, { destination_url, domain: 'default', back_half })
      if (response.status !== 200) {
        expectEnvelope(response)
        return
      }
      const redirected = await call(`${service.baseUrl}/${back_half}`)
      const location = new URL(redirected.headers.get('location') ?? '')
      expect(redirected.status).toBe(302)
      expect(location.href).toBe(new URL(destination_url).href)
      expect(['http:', 'https:']).toContain(location.protocol)
      expect(location.username + location.password).toBe('')
    }),
    { numRuns },
  )
})

test('responds to any path and method without an internal error', async () => {
  const path = fc.oneof(
    fc.webPath(),
    fc.string({ maxLength: 40 }).map((text) => `/${encodeURIComponent(text)}`),
    fc.string({ maxLength: 20 }).map((text) => `/api/v1/${encodeURIComponent(text)}`),
    fc.constantFrom(CREATE_PATH, LIST_PATH, '/api', '/a/qr.png', '/preview-images/x.svg', '/%ff'),
  )
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS')
  await fc.assert(
    fc.asyncProperty(path, method, async (url, verb) => {
      const { status } = await call(service.baseUrl + url, { method: verb })
      expect(status).toBeLessThan(500)
    }),
    { numRuns },
  )
})

test('keeps running whatever is written to the socket', async () => {
  const { port } = new URL(service.baseUrl)
  const line = fc.oneof(
    fc.constantFrom('GET / HTTP/1.1\r\n', 'host: x\r\n', '\r\n', 'content-length: 5\r\n'),
    unicodeText({ maxLength: 80 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.end(lines.join('')))
        socket.on('data', () => undefined).on('error', () => undefined)
        socket.on('close', () => resolve())
      })
    }),
    { numRuns: Math.ceil(numRuns / 3) },
  )
  expect((await call(`${service.baseUrl}/readyz`)).status).toBe(200)
})
