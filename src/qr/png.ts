import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

/** A square grid of cells, each white or in one color. */
export interface Grid {
  /** Cells in a row, and rows. */
  cells: number
  /** Width and height of the image in pixels, at least `cells`. */
  size: number
  /** `#RRGGBB` */
  color: string
  /** Whether a cell has the color. Otherwise it is white. */
  isSet: (row: number, column: number) => boolean
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

const compress = promisify<Buffer, Buffer>(deflate)

/** Encodes a grid as a PNG image with two colors and one bit per pixel. */
export async function gridPng({ cells, size, color, isSet }: Grid): Promise<Buffer> {
  const scale = size / cells
  const lines = Array.from({ length: cells }, (_, row) =>
    pixelLine(size, (x) => isSet(row, Math.floor(x / scale))),
  )
  const pixels = Array.from(
    { length: size },
    (_, y) => lines[Math.floor(y / scale)] ?? pixelLine(size),
  )
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(size)),
    chunk('PLTE', Buffer.from(`ffffff${color.slice(1)}`, 'hex')),
    chunk('IDAT', await compress(Buffer.concat(pixels))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A line of pixels, one bit each, after a byte that means "not filtered". */
function pixelLine(size: number, isSet: (x: number) => boolean = () => false): Buffer {
  const line = Buffer.alloc(1 + Math.ceil(size / 8))
  for (let x = 0; x < size; x++) {
    const index = 1 + (x >> 3)
    if (isSet(x)) line[index] = (line[index] ?? 0) | (0x80 >> (x & 7))
  }
  return line
}

/** Width, height, one bit per pixel, colors from a palette. */
function header(size: number): Buffer {
  const bytes = Buffer.alloc(13)
  bytes.writeUInt32BE(size, 0)
  bytes.writeUInt32BE(size, 4)
  bytes.set([1, 3], 8)
  return bytes
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, checksum])
}
