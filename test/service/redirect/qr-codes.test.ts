import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, postForm } from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

let service: RunningService

beforeAll(async () => {
  service = await startService()
  for (const [back_half, more] of [
    ['with-qr', { qr_code_enabled: 'true', qr_code_color: '#1f4f46' }],
    ['without-qr', { qr_code_color: '#1f4f46' }],
  ] as const) {
    const destination_url = `https://example.com/${back_half}`
    await postForm(service, { destination_url, domain: 'default', back_half, ...more })
  }
})
afterAll(() => service.close())

test('the PNG decodes to the short URL, in the link’s color', async () => {
  const response = await fetch(`${service.baseUrl}/with-qr/qr.png`)
  expect(response.headers.get('content-type')).toBe('image/png')
  const { data, width, height } = PNG.sync.read(Buffer.from(await response.arrayBuffer()))
  expect(jsqr.default(new Uint8ClampedArray(data), width, height)?.data).toBe(
    `${service.baseUrl}/with-qr`,
  )
  expect(data.includes(Buffer.from([0x1f, 0x4f, 0x46, 0xff]))).toBe(true)
})

test('draws an SVG in the link’s color', async () => {
  const { headers, text } = await call(`${service.baseUrl}/with-qr/qr.svg`)
  expect(headers.get('content-type')).toBe('image/svg+xml')
  expect(text).toContain('#1f4f46')
})

test.each(['/without-qr/qr.png', '/nothing/qr.png', '/with-qr/qr.gif', '/%00/qr.svg'])(
  'returns 404 for %s',
  async (path) => {
    expect((await call(service.baseUrl + path)).status).toBe(404)
  },
)

test('accepts a size, a margin and a color', async () => {
  const url = `${service.baseUrl}/with-qr/qr.png?size=300&margin=1&color=%23aa0000`
  const response = await fetch(url)
  expect(response.headers.get('cache-control')).toBe('public, no-cache')
  const { data, width, height } = PNG.sync.read(Buffer.from(await response.arrayBuffer()))
  expect({ width, height }).toEqual({ width: 300, height: 300 })
  expect(data.includes(Buffer.from([0xaa, 0, 0, 0xff]))).toBe(true)
  const { text } = await call(`${service.baseUrl}/with-qr/qr.svg?size=300&color=aa0000`)
  expect(text).toMatch(/^<svg [^>]*width="300" height="300"/)
  expect(text).toContain('#aa0000')
})

test('rejects invalid parameters and names them', async () => {
  const { status, body } = await call(
    `${service.baseUrl}/with-qr/qr.png?size=9&margin=-1&color=red&scale=2`,
  )
  expect({ status, body }).toEqual({
    status: 422,
    body: {
      error: {
        message: 'Some fields are invalid: color, size, margin, scale.',
        status_code: 422,
        code: 'VALIDATION_ERROR',
        details: {
          fields: {
            color: ['Use a color of the form #RRGGBB (in a URL, %23RRGGBB or just RRGGBB).'],
            size: ['Use a whole number of pixels from 100 to 2,000.'],
            margin: ['Use a whole number of modules from 0 to 20.'],
            scale: ['This parameter does not exist.'],
          },
        },
      },
    },
  })
})
