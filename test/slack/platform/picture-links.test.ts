import { fastify } from 'fastify'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { createQrLinks, qrImageRoutes } from '../../../src/slack/platform/pictures.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'

const key = (byte: number): Buffer => Buffer.alloc(32, byte)
const links = createQrLinks(createKeyring([key(1)]))
const content: [string, string] = ['https://go.example.com/x', '#1F4F46']

test('finds no content in a file name that this app did not make', () => {
  const name = links.fileName(content)
  expect(links.content((name.startsWith('A') ? 'B' : 'A') + name.slice(1))).toBeUndefined()
  expect(links.content('x.png')).toBeUndefined()
  expect(createQrLinks(createKeyring([key(2)])).content(name)).toBeUndefined()
})

test('decodes file names, also after a change of the encryption keys', () => {
  const name = links.fileName(content)
  expect(name).toMatch(/^[\w-]+\.png$/)
  expect(links.content(name)).toEqual(content)
  expect(createQrLinks(createKeyring([key(2), key(1)])).content(name)).toEqual(content)
})

test.each([
  'https://go.example.com/x',
  `https://links.a-long-hostname.example.com/${'back-half-'.repeat(20)}`,
])('draws the QR image of %s and lets it be cached forever', async (text) => {
  const server = fastify({ routerOptions: { maxParamLength: 3000 } })
  await server.register(qrImageRoutes(links))
  const name = links.fileName([text, '#123456'])
  const image = await server.inject(`/qr/${name}`)
  expect(image.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const { data, width, height } = PNG.sync.read(image.rawPayload)
  expect(jsqr.default(new Uint8ClampedArray(data), width, height)?.data).toBe(text)
  await server.close()
})
