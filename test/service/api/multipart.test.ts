import { expect } from 'vitest'
import { CREATE_PATH } from '../../../src/contract/endpoints.ts'
import { withService } from '../../support/fixtures.ts'
import { PNG } from '../../support/images.ts'
import { call, linkIn } from '../../support/service-calls.ts'

const { test, service } = withService()

let links = 0

/** Creates a link with parts that are written out, and returns it. */
async function create(...parts: (string | Buffer)[]) {
  const head = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`
  const body = [
    `${head('destination_url')}https://example.com/${links++}\r\n`,
    `${head('domain')}default\r\n`,
    ...parts.flatMap((part) => ['--b\r\n', part, '\r\n']),
    '--b--\r\n',
  ].map((text) => (typeof text === 'string' ? Buffer.from(text) : text))
  const response = await call(service.baseUrl + CREATE_PATH, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'content-type': 'multipart/form-data; boundary="b"' },
    body: Buffer.concat(body),
  })
  return linkIn(response)
}

const TITLE = 'Content-Disposition: form-data; name="title"\r\n'

test.each([
  ['Content-Type: text/plain; charset=ISO-8859-1', Buffer.from('Größe', 'latin1')],
  ['content-type: text/plain;charset="windows-1252"', Buffer.from('Größe\x85', 'latin1')],
  ['Content-Type: text/plain; charset=utf-16le', Buffer.from('Größe', 'utf16le')],
  ['Content-Transfer-Encoding: 8BIT', Buffer.from('Größe')],
  ['Content-Type: application/json', Buffer.from('Größe')],
])('decodes a text with “%s”', async (header, bytes) => {
  const { title } = await create(Buffer.concat([Buffer.from(`${TITLE}${header}\r\n\r\n`), bytes]))
  expect(title).toBe(header.includes('1252') ? 'Größe…' : 'Größe')
})

test('reads an image, and names that are written in other ways', async () => {
  const header = `content-disposition:form-data;name=preview_image;filename*=UTF-8''%C3%BC.png\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: binary\r\n\r\n`
  const { preview_image: url = '', title } = await create(
    Buffer.concat([Buffer.from(header), PNG]),
    'Content-Disposition: FORM-DATA; x="a;b"; name="title"\r\n\r\n--a',
  )
  expect(title).toBe('--a')
  expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(Buffer.from(PNG))
})
