import { expect, test } from 'vitest'
import {
  PREVIEW_IMAGE_MAX_BYTES,
  previewImageIssue,
  previewImageType,
} from '../../src/contract/preview-image.ts'

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
])('accepts %s if its first bytes match', (filename, bytes) => {
  expect(previewImageIssue({ filename, bytes })).toBeUndefined()
})

test.each([
  ['card', PNG, 'extension'],
  ['constructor.constructor', PNG, 'extension'],
  ['card.png', JPEG, 'content'],
  ['card.jpg', PNG, 'content'],
  ['card.svg', PNG, 'content'],
  ['card.svg', svg('<html><svg></svg></html>'), 'content'],
  ['card.png', new Uint8Array(), 'content'],
])(
  'rejects %s if its extension is not allowed or its bytes do not match',
  (filename, bytes, issue) => {
    expect(previewImageIssue({ filename, bytes })).toBe(issue)
  },
)

test('checks an SVG with many comments quickly', () => {
  const start = process.threadCpuUsage()
  const comments = '<!---->'.repeat(25)
  expect(previewImageIssue({ filename: 'a.svg', bytes: svg(`${comments}x`) })).toBe('content')
  expect(process.threadCpuUsage(start).user).toBeLessThan(1_000_000)
})

test('accepts 512,000 bytes and rejects one more', () => {
  const bytes = new Uint8Array(PREVIEW_IMAGE_MAX_BYTES + 1)
  bytes.set(PNG)
  const largest = bytes.subarray(0, PREVIEW_IMAGE_MAX_BYTES)
  expect(previewImageIssue({ filename: 'a.png', bytes: largest })).toBeUndefined()
  expect(previewImageIssue({ filename: 'a.png', bytes })).toBe('size')
})

test('derives the media type from the extension', () => {
  expect(previewImageType('a.svg')).toBe('image/svg+xml')
  expect(previewImageType('a.jpg')).toBe('image/jpeg')
  expect(previewImageType('a.exe')).toBeUndefined()
})
