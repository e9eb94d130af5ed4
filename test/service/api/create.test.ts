import { z } from 'zod'
import { describe, expect } from 'vitest'
import { withService } from '../../support/fixtures.ts'
import { JPEG_HEAD, PNG, SVG } from '../../support/images.ts'
import { call, errorIn, linkIn, postForm, type Fields } from '../../support/service-calls.ts'

const { test, service } = withService()

let links = 0

/** A destination that no other test uses. */
function fresh(): { destination_url: string; domain: string } {
  return { destination_url: `https://example.com/${links++}`, domain: service.domain.name }
}

test('answers the destination as a URI, byte for byte as browsers send it', async () => {
  for (const [typed, uri] of [
    [
      'https://example.com/a b/ü?q=ä&sig=x%2fy+z&flag#é',
      'https://example.com/a%20b/%C3%BC?q=%C3%A4&sig=x%2fy+z&flag#%C3%A9',
    ],
    ['HTTPS://Münch.example:443/x/../y', 'https://xn--mnch-0ra.example/y'],
  ] as const) {
    const fields = { destination_url: typed, domain: 'default' }
    const shortlink = linkIn(await postForm(service, fields))
    expect(shortlink.destination_url).toBe(uri)
    expect(z.url().safeParse(shortlink.destination_url).success).toBe(true)
    const again = await postForm(service, { destination_url: uri, domain: 'default' })
    expect(again).toMatchObject({ status: 409, body: { error: { details: { shortlink } } } })
  }
})

test('creates a link from a destination and a domain', async () => {
  const { destination_url } = fresh()
  const response = await postForm(service, { destination_url, domain: service.domain.name })
  expect({ status: response.status, body: response.body }).toEqual({
    status: 200,
    body: {
      data: {
        status: 'success',
        message: 'Shortlink created.',
        shortlink: {
          name: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
          destination_url,
          shortlink_url: expect.stringMatching(
            /^http:\/\/127\.0\.0\.1:\d+\/[0-9A-Za-z]{7}$/,
          ) as string,
          is_custom_preview: false,
          qr_code_enabled: false,
        },
      },
    },
  })
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
})

test('accepts all 17 fields and returns the whole Shortlink', async () => {
  const { destination_url, domain } = fresh()
  const response = await postForm(service, {
    destination_url,
    domain,
    title: 'Spring sale — 50 % off ☀️',
    back_half: 'Spring_2027-a',
    utm_analytics_enabled: 'true',
    utm_campaign: 'spring',
    utm_term: 'boots',
    utm_medium: 'chat',
    utm_content: 'a',
    utm_source: 'slack',
    utm_id: '7',
    is_custom_preview: 'true',
    preview_title: 'Everything must go',
    preview_description: 'Two lines\r\nof it',
    preview_image: new File([PNG], 'card.png', { type: 'image/png' }),
    qr_code_enabled: 'true',
    qr_code_color: '#1F4f46',
  })
  const shortlink = linkIn(response)
  expect(shortlink).toEqual({
    name: shortlink.name,
    title: 'Spring sale — 50 % off ☀️',
    destination_url,
    shortlink_url: `${service.baseUrl}/Spring_2027-a`,
    is_custom_preview: true,
    preview_title: 'Everything must go',
    preview_description: 'Two lines\r\nof it',
    preview_image: `${service.baseUrl}/preview-images/${shortlink.name}.png`,
    qr_code_enabled: true,
  })
  const redirected = await call(shortlink.shortlink_url)
  expect(redirected.headers.get('location')).toBe(
    `${destination_url}?utm_source=slack&utm_medium=chat&utm_campaign=spring&utm_term=boots&utm_content=a&utm_id=7`,
  )
  const row = await service.database.db
    .selectFrom('links')
    .select(['utm_term', 'qr_code_color', 'qr_code_enabled'])
    .where('id', '=', shortlink.name)
    .executeTakeFirst()
  expect(row).toEqual({ utm_term: 'boots', qr_code_color: '#1F4f46', qr_code_enabled: 1 })
})

test('treats an empty text and an empty file input as not sent', async () => {
  const response = await postForm(service, {
    ...fresh(),
    title: '',
    back_half: '',
    qr_code_color: '',
    utm_analytics_enabled: '',
    preview_image: new File([], ''),
  })
  expect(response.status).toBe(200)
  expect(Object.keys(linkIn(response))).not.toContain('title')
})

const EXAMPLE = { destination_url: 'https://example.com/errors', domain: 'default' }

describe('returns 422 and names each invalid field', () => {
  const text = (length: number): string => 'a'.repeat(length)
  const png = (bytes: Uint8Array<ArrayBuffer>, name: string) => new File([bytes], name)

  test.each<[string, Fields, string[]]>([
    ['only a title', { title: 'a' }, ['destination_url', 'domain']],
    ['an unknown field', { ...EXAMPLE, utm_capaign: 'a' }, ['utm_capaign']],
    ['a repeated field', { ...EXAMPLE, title: ['a', 'b'] }, ['title']],
    [
      'a dangerous destination',
      { ...EXAMPLE, destination_url: 'javascript:alert(1)' },
      ['destination_url'],
    ],
    ['an unknown domain record', { ...EXAMPLE, domain: 'nobody.example' }, ['domain']],
    ['a domain with a NUL', { ...EXAMPLE, domain: 'default\0' }, ['domain']],
    ['a bad back-half', { ...EXAMPLE, back_half: 'a/b' }, ['back_half']],
    ['a reserved back-half', { ...EXAMPLE, back_half: 'api' }, ['back_half']],
    ['an invalid flag', { ...EXAMPLE, utm_analytics_enabled: 'yes' }, ['utm_analytics_enabled']],
    ['an invalid color', { ...EXAMPLE, qr_code_color: 'red' }, ['qr_code_color']],
    ['a title that is too long', { ...EXAMPLE, title: text(201) }, ['title']],
    ['an enormous text', { ...EXAMPLE, title: text(20_000) }, ['title']],
    ['control characters', { ...EXAMPLE, title: 'a\u0007b', utm_id: 'a\nb' }, ['title', 'utm_id']],
    ['an image as text', { ...EXAMPLE, preview_image: 'card.png' }, ['preview_image']],
    ['a text as a file', { ...EXAMPLE, title: new File(['a'], 'a.txt') }, ['title']],
    [
      'an image that is one byte too large',
      { ...EXAMPLE, preview_image: png(Buffer.concat([PNG], 512_001), 'card.png') },
      ['preview_image'],
    ],
    [
      'several invalid fields',
      { domain: 'nobody.example', back_half: '?', title: text(201), color: 'red' },
      ['back_half', 'color', 'destination_url', 'domain', 'title'],
    ],
  ])('%s', async (_what, fields, names) => {
    const response = await postForm(service, fields)
    const expected = names.map((name): [string, unknown] => [name, [expect.any(String)]])
    expect(errorIn(response)).toEqual([
      422,
      'VALIDATION_ERROR',
      { fields: Object.fromEntries(expected) },
    ])
  })
})

test('accepts an image of exactly 512,000 bytes', async () => {
  const image = new File([Buffer.concat([PNG], 512_000)], 'CARD.PNG')
  expect((await postForm(service, { ...fresh(), preview_image: image })).status).toBe(200)
})

test.each([
  ['card.png', PNG, 'image/png', 'png'],
  ['card.jpeg', JPEG_HEAD, 'image/jpeg', 'jpg'],
  ['card.jpg', JPEG_HEAD, 'image/jpeg', 'jpg'],
  ['card.svg', SVG, 'image/svg+xml', 'svg'],
])('serves the bytes of %s at preview_image', async (name, bytes, type, extension) => {
  const response = await postForm(service, { ...fresh(), preview_image: new File([bytes], name) })
  const { preview_image: address = '' } = linkIn(response)
  expect(address.endsWith(`.${extension}`)).toBe(true)
  const image = await fetch(address)
  expect(Buffer.from(await image.arrayBuffer())).toEqual(bytes)
  expect({
    type: image.headers.get('content-type'),
    sniff: image.headers.get('x-content-type-options'),
    policy: image.headers.get('content-security-policy'),
  }).toEqual({
    type,
    sniff: 'nosniff',
    policy: "default-src 'none';style-src 'unsafe-inline';sandbox",
  })
})

test('rejects a destination on a domain of the service', async () => {
  const own = await postForm(service, {
    ...fresh(),
    destination_url: `${service.baseUrl.replace('127.0.0.1', 'LOCALHOST')}/a`,
  })
  expect(errorIn(own)).toMatchObject([
    422,
    'VALIDATION_ERROR',
    {
      fields: {
        destination_url: [expect.stringMatching(/short domain.+Use the page that it leads to/)],
      },
    },
  ])
})
