import { expect, test } from 'vitest'
import { measurePreviewImage } from '../../../src/service/store/preview-images.ts'
import { PNG } from '../../support/images.ts'

const UNKNOWN = { width: 0, height: 0 }

const svg = (text: string) => measurePreviewImage('image/svg+xml', new TextEncoder().encode(text))

/** A JPEG with this many bytes of metadata before its size. */
function jpeg(metadataBytes: number): Uint8Array {
  const segments = [Buffer.from([0xff, 0xd8])]
  for (let left = metadataBytes; left > 0; left -= 1_000) {
    const segment = Buffer.alloc(Math.min(left, 1_000))
    segment.set([0xff, 0xe2, (segment.length - 2) >> 8, (segment.length - 2) & 255])
    segments.push(segment)
  }
  segments.push(Buffer.from([0xff, 0xc0, 0, 11, 8, 0x02, 0x76, 0x04, 0xb0, 1, 1, 0x11, 0]))
  return Buffer.concat([...segments, Buffer.alloc(20)])
}

test('measures PNG, JPEG and SVG images', () => {
  expect(measurePreviewImage('image/png', PNG)).toEqual({ width: 1, height: 1 })
  expect(measurePreviewImage('image/jpeg', jpeg(20))).toEqual({ width: 1200, height: 630 })
  expect(measurePreviewImage('image/jpeg', jpeg(100_000))).toEqual({ width: 1200, height: 630 })
  expect(svg('<svg width="40.4" height="2cm">')).toEqual({ width: 40, height: 76 })
  expect(svg('<?xml version="1.0"?><!-- > --><svg viewBox="0 0 300 200"/>')).toEqual({
    width: 300,
    height: 200,
  })
})

test.each([
  ['image/png', PNG.subarray(0, 20)],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
  ['image/jpeg', jpeg(200_000)],
  ['image/gif', PNG],
])('finds no size in a broken or unusual %s', (type, bytes) => {
  expect(measurePreviewImage(type, bytes)).toEqual(UNKNOWN)
})

test.each([
  '<svg>',
  '<svg width="100%" height="100%"/>',
  '<svg width="0" height="0"/>',
  '<svg width="9e99" height="1"/>',
  '<svg width="40" height="20"',
  `<svg ${'a="b" '.repeat(1_000)} width="40" height="20"/>`,
])('finds no size in the SVG %.60s', (text) => expect(svg(text)).toEqual(UNKNOWN))

test('measures hostile images, whose size is slow to find, quickly', () => {
  const start = process.cpuUsage()
  // Each of the first tags has a quotation mark that nothing closes up to the end of the file.
  const slowSvg = `${'<svg '.repeat(194)}"<svg >${'a'.repeat(499_000)}`
  for (let time = 0; time < 100; time++) expect(svg(slowSvg)).toEqual(UNKNOWN)
  const slowJpeg = Buffer.alloc(500_000)
  slowJpeg.set([0xff, 0xd8, 0xff, 0xe0])
  for (let time = 0; time < 5; time++) {
    expect(measurePreviewImage('image/jpeg', slowJpeg)).toEqual(UNKNOWN)
  }
  // CPU time, in microseconds. image-size alone takes 20 s for them.
  expect(process.cpuUsage(start).user).toBeLessThan(5_000_000)
})
