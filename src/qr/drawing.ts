import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

/** The layout of a QR code in an image that is `size` pixels wide and high. */
export interface Drawing {
  /** The squares of the QR code, row by row: 1 has the color, 0 is white. */
  modules: { size: number; data: Uint8Array }
  /** Pixels per module. It is a whole number, because scanners miss some codes whose modules differ in width. */
  scale: number
  offset: number
  size: number
  color: string
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

const compress = promisify<Buffer, Buffer>(deflate)

export async function toPng({ modules, scale, offset, size, color }: Drawing): Promise<Buffer> {
  // Each line has a byte that means “not filtered”, and then one bit per pixel.
  const lineLength = 1 + Math.ceil(size / 8)
  const pixels = Buffer.alloc(lineLength * size)
  for (let row = 0; row < modules.size; row++) {
    const line = pixels.subarray((offset + row * scale) * lineLength).subarray(0, lineLength)
    for (let column = 0; column < modules.size; column++) {
      if (modules.data[row * modules.size + column] !== 1) continue
      const left = offset + column * scale
      for (let x = left; x < left + scale; x++) {
        const byte = 1 + Math.floor(x / 8)
        line[byte] = (line[byte] ?? 0) | (0b1000_0000 >> (x % 8))
      }
    }
    // The other lines of this row of modules are equal.
    for (let copy = 1; copy < scale; copy++) {
      line.copy(pixels, (offset + row * scale + copy) * lineLength)
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(size)),
    chunk('PLTE', Buffer.from(`ffffff${color.slice(1)}`, 'hex')), // Bit 0 is white, and 1 has the color.
    chunk('IDAT', await compress(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function header(size: number): Buffer {
  const bytes = Buffer.alloc(13)
  bytes.writeUInt32BE(size, 0) // Width.
  bytes.writeUInt32BE(size, 4) // Height.
  bytes.set([1, 3], 8) // One bit per pixel, with colors from a palette.
  return bytes
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  const checksum = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, checksum])
}

export function toSvg({ modules, scale, offset, size, color }: Drawing, width?: number) {
  const sizeAttributes = width === undefined ? '' : ` width="${width}" height="${width}"`
  const path: string[] = []
  for (let row = 0; row < modules.size; row++) {
    const line = modules.data.subarray(row * modules.size, (row + 1) * modules.size)
    // Each horizontal run of colored modules becomes one rectangle.
    let start = line.indexOf(1)
    while (start !== -1) {
      const nextWhite = line.indexOf(0, start)
      const end = nextWhite === -1 ? modules.size : nextWhite
      const length = (end - start) * scale
      path.push(`M${offset + start * scale} ${offset + row * scale}h${length}v${scale}h-${length}z`)
      start = line.indexOf(1, end)
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg"${sizeAttributes} viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="#ffffff" d="M0 0h${size}v${size}H0z"/>` +
    `<path fill="${color}" d="${path.join('')}"/></svg>\n`
  )
}
