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

test('the PNG decodes to the short URL, in the link’s colour', async () => {
  const response = await fetch(`${service.baseUrl}/with-qr/qr.png`)
  expect(response.headers.get('content-type')).toBe('image/png')
  const { data, width, height } = PNG.sync.read(Buffer.from(await response.arrayBuffer()))
  expect(jsqr.default(new Uint8ClampedArray(data), width, height)?.data).toBe(
    `${service.baseUrl}/with-qr`,
  )
  expect(data.includes(Buffer.from([0x1f, 0x4f, 0x46, 0xff]))).toBe(true)
})

test('the SVG is one, in the link’s colour', async () => {
  const { headers, text } = await call(`${service.baseUrl}/with-qr/qr.svg`)
  expect(headers.get('content-type')).toBe('image/svg+xml')
  expect(text).toContain('#1f4f46')
})

test.each(['/without-qr/qr.png', '/nothing/qr.png', '/with-qr/qr.gif', '/%00/qr.svg'])(
  '%s is a 404',
  async (path) => {
    expect((await call(service.baseUrl + path)).status).toBe(404)
  },
)
