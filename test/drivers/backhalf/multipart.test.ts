import { expect, test } from 'vitest'
import { z } from 'zod'
import { createRequest, type CreateRequest } from '../../../src/contract/link-requests.ts'
import { encodeForm } from '../../../src/drivers/backhalf/multipart.ts'

const encodeCreateRequest = (request: CreateRequest) => encodeForm(z.encode(createRequest, request))

const IMAGE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff])

test('sends texts and flags before the image, and no field without a value; a file name can’t add headers', async () => {
  const { headers, body } = encodeCreateRequest({
    preview_image: { filename: 'a"\r\nx-evil: 1\r\n\r\n.svg', bytes: IMAGE },
    destination_url: 'https://example.com/ü?a=1&b="2"',
    domain: 'dom_1',
    title: 'Größe\r\n--boundary',
    back_half: undefined,
    is_custom_preview: false,
    qr_code_enabled: true,
  })
  // Node's parser is independent of form-data.
  const form = [...(await new Response(Buffer.from(body), { headers }).formData())]
  const [, image] = form.pop() ?? []
  expect(Object.fromEntries(form)).toEqual({
    destination_url: 'https://example.com/ü?a=1&b="2"',
    domain: 'dom_1',
    title: 'Größe\r\n--boundary',
    is_custom_preview: 'false',
    qr_code_enabled: 'true',
  })
  if (!(image instanceof File)) throw new Error('the image is not last')
  expect(image.type).toBe('image/svg+xml')
  expect(Buffer.from(await image.arrayBuffer())).toEqual(IMAGE)
})

test('rejects a request that violates the contract', () => {
  const request = { destination_url: 'https://a.example', domain: 'd', qr_code_color: '#12345g' }
  expect(() => encodeCreateRequest(request)).toThrow('#RRGGBB')
})
