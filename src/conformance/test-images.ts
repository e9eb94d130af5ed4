import type { ImageFile } from '../contract/preview-image.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

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
  // Every reading of “500 KB” allows the first size, and none the second (spec §8).
  large: pngOfSize(500_000),
  tooLarge: pngOfSize(512_001),
} satisfies Record<string, ImageFile>

/** Builds a PNG of this size. Programs ignore the zeros after its end. */
function pngOfSize(bytes: number): ImageFile {
  return { filename: 'large.png', bytes: Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]) }
}
