import { z } from 'zod'
import { expect } from 'vitest'
import { withService } from '../../support/fixtures.ts'
import { JPEG_HEAD, PNG, SVG } from '../../support/images.ts'
import {
  call,
  callLink,
  create,
  errorsIn,
  invalidIn,
  linkIn,
  newLink,
  postForm,
} from '../../support/service-calls.ts'

const { test, service } = withService()

test('returns the destination as a URI, byte for byte as browsers send it', async () => {
  for (const [typed, uri] of [
    [
      'https://example.com/a b/ü?q=ä&sig=x%2fy+z&flag#é',
      'https://example.com/a%20b/%C3%BC?q=%C3%A4&sig=x%2fy+z&flag#%C3%A9',
    ],
    ['HTTPS://Münch.example:443/x/../y', 'https://xn--mnch-0ra.example/y'],
  ] as const) {
    const shortlink = await newLink(service, { destination_url: typed })
    expect(shortlink.destination_url).toBe(uri)
    expect(z.url().safeParse(shortlink.destination_url).success).toBe(true)
    const again = await create(service, { destination_url: uri })
    expect(again).toMatchObject({ status: 409, body: { error: { details: { shortlink } } } })
  }
})

test('creates a link from a destination and a domain', async () => {
  const destination_url = 'https://example.com/two-fields'
  const domain = service.domain.name
  const { status, body, headers } = await postForm(service, { destination_url, domain })
  expect({ status, body }).toEqual({
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
  expect(headers.get('content-type')).toMatch(/^application\/json/)
})

test('accepts all 17 fields and returns the whole Shortlink', async () => {
  const shown = {
    destination_url: 'https://example.com/all-fields',
    title: 'Spring sale — 50 % off ☀️',
    preview_title: 'Everything must go',
    preview_description: 'Two lines\r\nof it',
  }
  const utm = { utm_source: 'slack', utm_medium: 'chat', utm_campaign: 'spring' }
  const shortlink = await newLink(service, {
    ...shown,
    back_half: 'Spring_2027-a',
    ...utm,
    utm_term: 'boots',
    utm_content: 'a',
    utm_id: '7',
    utm_analytics_enabled: 'true',
    is_custom_preview: 'true',
    preview_image: new File([PNG], 'card.png', { type: 'image/png' }),
    qr_code_enabled: 'true',
    qr_code_color: '#1F4f46',
  })
  expect(shortlink).toEqual({
    ...shown,
    name: shortlink.name,
    shortlink_url: `${service.baseUrl}/Spring_2027-a`,
    is_custom_preview: true,
    preview_image: `${service.baseUrl}/preview-images/${shortlink.name}.png`,
    qr_code_enabled: true,
  })
  const redirected = await call(shortlink.shortlink_url)
  expect(redirected.headers.get('location')).toBe(
    `${shown.destination_url}?utm_source=slack&utm_medium=chat&utm_campaign=spring&utm_term=boots&utm_content=a&utm_id=7`,
  )
  const read = linkIn(await callLink(service, 'GET', shortlink.name))
  expect(read.qr_code_color).toBe('#1F4f46')
})

test('treats an empty text and an empty file input as not sent', async () => {
  const link = await newLink(service, {
    title: '',
    back_half: '',
    qr_code_color: '',
    utm_analytics_enabled: '',
    preview_image: new File([], ''),
  })
  expect(Object.keys(link)).not.toContain('title')
})

test('returns 422 and names each invalid field', async () => {
  const response = await postForm(service, {
    destination_url: 'javascript:alert(1)',
    domain: 'default\0',
    back_half: 'api',
    title: ['a', 'b'],
    utm_id: 'a\nb',
    utm_term: 'a'.repeat(20_001),
    utm_medium: new File(['a'], 'a.txt'),
    utm_analytics_enabled: 'yes',
    qr_code_color: 'red',
    preview_title: 'a'.repeat(201),
    preview_image: 'card.png',
    enabled: 'false',
    utm_capaign: 'a',
  })
  expect(errorsIn(response)).toEqual({
    destination_url: ['Use a URL that starts with https:// or http://.'],
    domain: ['Remove control characters and line breaks.'],
    back_half: ['This back-half is reserved. Choose another one.'],
    title: ['Send this field only once.'],
    utm_id: ['Remove control characters and line breaks.'],
    utm_term: ['This text is too long.'],
    utm_medium: ['Send this field as text.'],
    utm_analytics_enabled: ['Use true or false.'],
    qr_code_color: ['Use a color in the form #RRGGBB.'],
    preview_title: ['Use at most 200 characters.'],
    preview_image: ['Send this field as a file, with its name.'],
    enabled: ['This field does not exist.'],
    utm_capaign: ['This field does not exist.'],
  })
  const others = {
    destination_url: `${service.baseUrl.replace('127.0.0.1', 'LOCALHOST')}/a`,
    domain: 'unknown.example',
    back_half: 'a/b',
    preview_image: new File([Buffer.concat([PNG], 512_001)], 'card.png'),
  }
  const refused = await postForm(service, others)
  expect(invalidIn(refused)).toEqual(Object.keys(others).sort())
  expect(refused.text).toContain(
    'on a short domain of this service. Use the page that it leads to.',
  )
  expect(invalidIn(await postForm(service, { title: 'a' }))).toEqual(['destination_url', 'domain'])
})

test.each([
  ['card.png', PNG, 'image/png', 'png'],
  ['LARGEST.PNG', Buffer.concat([PNG], 512_000), 'image/png', 'png'],
  ['card.jpeg', JPEG_HEAD, 'image/jpeg', 'jpg'],
  ['card.jpg', JPEG_HEAD, 'image/jpeg', 'jpg'],
  ['card.svg', SVG, 'image/svg+xml', 'svg'],
])('serves the bytes of %s at preview_image', async (name, bytes, type, extension) => {
  const { preview_image: address = '' } = await newLink(service, {
    preview_image: new File([bytes], name),
  })
  expect(address.endsWith(`.${extension}`)).toBe(true)
  const image = await fetch(address)
  expect(Buffer.from(await image.arrayBuffer())).toEqual(bytes)
  expect(Object.fromEntries(image.headers)).toMatchObject({
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none';style-src 'unsafe-inline';sandbox",
  })
})
