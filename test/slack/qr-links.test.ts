import { expect, test } from 'vitest'
import { createQrLinks } from '../../src/slack/qr-links.ts'
import { createKeyring } from '../../src/workspaces/keyring.ts'

const key = (byte: number): Buffer => Buffer.alloc(32, byte)
const links = createQrLinks(createKeyring([key(1)]))
const content = { text: 'https://go.example.com/x', color: '#1F4F46' }

test('an image’s file name holds what it shows', () => {
  const name = links.fileName(content)
  expect(name).toMatch(/^[\w-]+\.png$/)
  expect(links.content(name)).toEqual(content)
})

test('a file name that we did not make shows nothing', () => {
  const name = links.fileName(content)
  expect(
    links.content(name.replace(/.\.png$/, (end) => (end[0] === 'A' ? 'B' : 'A') + end.slice(1))),
  ).toBeUndefined()
  expect(links.content('x.png')).toBeUndefined()
  expect(createQrLinks(createKeyring([key(2)])).content(name)).toBeUndefined()
})

test('images outlive a change of keys', () => {
  const name = links.fileName(content)
  expect(createQrLinks(createKeyring([key(2), key(1)])).content(name)).toEqual(content)
})
