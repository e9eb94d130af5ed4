import fastifyMultipart from '@fastify/multipart'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { encodeCreateRequest } from '../../src/client/multipart.ts'
import type { CreateRequest } from '../../src/contract/link-requests.ts'

interface Received {
  texts: Record<string, string>
  image?: { filename: string; type: string; bytes: Buffer }
  /** How many texts came before the image. */
  textsBefore?: number
}

/** Reads the request as a service does, with a parser that is independent of form-data. */
async function receive(request: CreateRequest): Promise<Received> {
  const service = fastify()
  await service.register(fastifyMultipart)
  const received: Received = { texts: {} }
  service.post('/', async (incoming) => {
    for await (const part of incoming.parts()) {
      if (part.type === 'field') received.texts[part.fieldname] = String(part.value)
      else {
        const { filename, mimetype: type } = part
        received.image = { filename, type, bytes: await part.toBuffer() }
        received.textsBefore = Object.keys(received.texts).length
      }
    }
    return {}
  })
  const { headers, body } = encodeCreateRequest(request)
  const response = await service.inject({
    method: 'POST',
    url: '/',
    headers,
    body: Buffer.from(body),
  })
  await service.close()
  expect(response.statusCode).toBe(200)
  return received
}

const IMAGE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff])

test('sends all 17 fields, flags as text and the image as bytes', async () => {
  const texts = {
    destination_url: 'https://example.com/ü?a=1&b="2"',
    domain: 'dom_1',
    title: 'Größe\r\n--boundary',
    back_half: 'spring',
    utm_analytics_enabled: true,
    utm_campaign: 'c',
    utm_term: 't',
    utm_medium: 'm',
    utm_content: 'co',
    utm_source: 's',
    utm_id: 'i',
    is_custom_preview: false,
    preview_title: 'Preview',
    preview_description: 'Description',
    qr_code_enabled: true,
    qr_code_color: '#1F4F46',
  }
  const file = { filename: 'card.png', bytes: IMAGE }
  expect(await receive({ ...texts, preview_image: file })).toEqual({
    texts: Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, String(value)])),
    image: { ...file, type: 'image/png' },
    textsBefore: 16,
  })
})

test('omits fields without a value', async () => {
  expect(
    await receive({ destination_url: 'https://a.example', domain: 'd', title: undefined }),
  ).toEqual({ texts: { destination_url: 'https://a.example', domain: 'd' } })
})

test('escapes a file name so that it can’t add headers', async () => {
  const { texts, image } = await receive({
    destination_url: 'https://a.example',
    domain: 'd',
    preview_image: { filename: 'a"\r\nx-evil: 1\r\n\r\n.svg', bytes: IMAGE },
  })
  expect(Object.keys(texts)).toEqual(['destination_url', 'domain'])
  expect(image).toMatchObject({ type: 'image/svg+xml', bytes: IMAGE })
})

test('rejects a request that violates the contract', () => {
  const request = { destination_url: 'https://a.example', domain: 'd', qr_code_color: 'red' }
  expect(() => encodeCreateRequest(request)).toThrow('#RRGGBB')
})
