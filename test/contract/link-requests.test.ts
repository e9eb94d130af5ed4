import { expect, test } from 'vitest'
import { z } from 'zod'
import { createRequest, hexColor } from '../../src/contract/link-requests.ts'

const LINK = { destination_url: 'https://example.com/', domain: 'dom_1' }

test('encodes flags as text and decodes them again', () => {
  const request = { ...LINK, qr_code_enabled: true, is_custom_preview: false }
  const encoded = z.encode(createRequest, request)
  expect(encoded).toEqual({ ...LINK, qr_code_enabled: 'true', is_custom_preview: 'false' })
  expect(z.decode(createRequest, encoded)).toEqual(request)
})

test.each([
  { ...LINK, destination_url: '' },
  { ...LINK, qr_code_enabled: 'yes' },
  { ...LINK, qr_code_color: '#123' },
  { ...LINK, color: '#123456' },
])('rejects %j', (fields) => {
  expect(createRequest.safeParse(fields).success).toBe(false)
})

test.each(['#1F4F46', '#ffffff'])('accepts %s as a color', (text) => {
  expect(hexColor.safeParse(text).success).toBe(true)
})

test.each(['1F4F46', '#12345g', '#1234567', 'red', ''])('rejects “%s” as a color', (text) => {
  expect(hexColor.safeParse(text).success).toBe(false)
})
