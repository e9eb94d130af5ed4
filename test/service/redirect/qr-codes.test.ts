import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { expect } from 'vitest'
import { withService } from '../../support/fixtures.ts'
import { changeLink } from '../../support/links.ts'
import { call, errorsIn, shorten } from '../../support/service-calls.ts'

const { test, service } = withService()

test.beforeAll(async ({ service }) => {
  await shorten(service, 'with-qr', { qr_code_enabled: 'true', qr_code_color: '#1f4f46' })
  await shorten(service, 'without-qr', { qr_code_color: '#1f4f46' })
})

const get = (path: string) => call(service.baseUrl + path)

/** @param color its bytes */
async function drawPng(query: string, color: number[]) {
  const response = await fetch(`${service.baseUrl}/with-qr/qr.png${query}`)
  const { data, width, height } = PNG.sync.read(Buffer.from(await response.arrayBuffer()))
  const text = jsqr.default(new Uint8ClampedArray(data), width, height)?.data
  const hasColor = data.includes(Buffer.from([...color, 0xff]))
  return { headers: Object.fromEntries(response.headers), text, hasColor, size: [width, height] }
}

test('the PNG decodes to the short URL, in the link’s color', async () => {
  expect(await drawPng('', [0x1f, 0x4f, 0x46])).toMatchObject({
    headers: { 'content-type': 'image/png', 'cache-control': 'public, no-cache' },
    text: `${service.baseUrl}/with-qr`,
    hasColor: true,
  })
})

test('accepts a size, a margin and a color', async () => {
  expect(await drawPng('?size=300&margin=1&color=%23aa0000', [0xaa, 0, 0])).toMatchObject({
    hasColor: true,
    size: [300, 300],
  })
  const { text } = await get('/with-qr/qr.svg?size=300&color=aa0000')
  expect(text).toMatch(/^<svg [^>]*width="300" height="300"/)
  expect(text).toContain('#aa0000')
})

test('draws an SVG in the link’s color, also in a new one, and none once it is turned off', async () => {
  await shorten(service, 'colored', { qr_code_enabled: 'true', qr_code_color: '#1f4f46' })
  const { headers, text } = await get('/colored/qr.svg')
  expect(headers.get('content-type')).toBe('image/svg+xml')
  expect(text).toContain('#1f4f46')
  await changeLink(service.database, 'colored', { qr_code_color: '#aa0000' })
  expect((await get('/colored/qr.svg')).text).toContain('#aa0000')
  await changeLink(service.database, 'colored', { qr_code_enabled: 0 })
  expect((await get('/colored/qr.svg')).status).toBe(404)
})

test.each(['/without-qr/qr.png', '/nothing/qr.png', '/with-qr/qr.gif', '/%00/qr.svg'])(
  'returns 404 for %s',
  async (path) => expect((await get(path)).status).toBe(404),
)

test('rejects invalid parameters and names them', async () => {
  const response = await get('/with-qr/qr.png?size=9&margin=-1&color=red&scale=2')
  expect(errorsIn(response)).toEqual({
    color: ['Use a color of the form #RRGGBB (in a URL, %23RRGGBB or just RRGGBB).'],
    size: ['Use a whole number of pixels from 100 to 2,000.'],
    margin: ['Use a whole number of modules from 0 to 20.'],
    scale: ['This parameter does not exist.'],
  })
  expect(response.text).toContain('Some fields are invalid: color, size, margin, scale.')
})
