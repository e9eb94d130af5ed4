import { expect, test } from 'vitest'
import { PREVIEW_IMAGE_MAX_BYTES } from '../../src/contract/create-request.ts'
import { previewImageFault, previewImageType } from '../../src/contract/preview-image.ts'

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0)
const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)
const svg = (text: string): Uint8Array => new TextEncoder().encode(text)

test.each([
  ['card.png', PNG],
  ['card.PNG', PNG],
  ['my.card.jpg', JPEG],
  ['card.jpeg', JPEG],
  ['card.svg', svg('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['card.svg', svg('\uFEFF<?xml version="1.0"?>\n<!-- a comment -->\n<!DOCTYPE svg>\n<svg>')],
])('%s with its own first bytes is good', (filename, bytes) => {
  expect(previewImageFault({ filename, bytes })).toBeUndefined()
})

test.each([
  ['card.gif', PNG, 'extension'],
  ['card', PNG, 'extension'],
  ['constructor.constructor', PNG, 'extension'],
  ['card.png', JPEG, 'content'],
  ['card.jpg', PNG, 'content'],
  ['card.svg', svg('<html><svg></svg></html>'), 'content'],
  ['card.svg', PNG, 'content'],
  ['card.png', new Uint8Array(), 'content'],
])('%s with other bytes, or another extension, is refused', (filename, bytes, fault) => {
  expect(previewImageFault({ filename, bytes })).toBe(fault)
})

test('an SVG of many comments is looked at in no time', () => {
  const start = performance.now()
  const comments = '<!---->'.repeat(25)
  expect(previewImageFault({ filename: 'a.svg', bytes: svg(`${comments}x`) })).toBe('content')
  expect(performance.now() - start).toBeLessThan(1_000)
})

test('512,000 bytes are enough, one more is too many', () => {
  const padded = (size: number): Uint8Array => {
    const bytes = new Uint8Array(size)
    bytes.set(PNG)
    return bytes
  }
  expect(previewImageFault({ filename: 'a.png', bytes: padded(PREVIEW_IMAGE_MAX_BYTES) })).toBe(
    undefined,
  )
  expect(previewImageFault({ filename: 'a.png', bytes: padded(PREVIEW_IMAGE_MAX_BYTES + 1) })).toBe(
    'size',
  )
})

test('the media type follows the extension', () => {
  expect(previewImageType('a.svg')).toBe('image/svg+xml')
  expect(previewImageType('a.jpg')).toBe('image/jpeg')
  expect(previewImageType('a.exe')).toBeUndefined()
})
