import { crc32 } from 'node:zlib'
import type { ImageFile } from '../contract/preview-image.ts'

/** The largest image that every reading of “500 KB” allows (spec §8), in bytes. */
export const LARGEST_IMAGE = 500_000
/** A size that no reading of “500 KB” allows, in bytes. */
export const TOO_LARGE_IMAGE = 512_001

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const END_LENGTH = 12

const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAAL/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCIAl//2Q==',
  'base64',
)
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>'
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

export const IMAGES = {
  png: { filename: 'preview.png', bytes: PNG },
  jpeg: { filename: 'preview.jpeg', bytes: JPEG },
  jpg: { filename: 'preview.jpg', bytes: JPEG },
  svg: { filename: 'preview.svg', bytes: Buffer.from(SVG) },
  gif: { filename: 'preview.gif', bytes: Buffer.from(GIF, 'base64') },
} satisfies Record<string, ImageFile>

/** A valid PNG of exactly this size: its comment is as long as necessary. */
export function pngOfSize(bytes: number): ImageFile {
  const chunk = Buffer.alloc(bytes - PNG.length, 'x')
  chunk.writeUInt32BE(chunk.length - END_LENGTH, 0)
  chunk.write('tEXtComment\0', 4, 'latin1')
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  const end = PNG.length - END_LENGTH
  return {
    filename: 'large.png',
    bytes: Buffer.concat([PNG.subarray(0, end), chunk, PNG.subarray(end)]),
  }
}
