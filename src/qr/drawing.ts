import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

export interface Drawing {
  /** The squares of a QR code, row by row: 1 has the color, 0 is white. */
  modules: { size: number; data: Uint8Array }
  /** The width of a module in whole pixels, because scanners miss some codes whose modules differ in width. */
  scale: number
  offset: number
  size: number
  color: string
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

const compress = promisify<Buffer, Buffer>(deflate)

export async function toPng({ modules, scale, offset, size, color }: Drawing): Promise<Buffer> {
  const lineLength = 1 + Math.ceil(size / 8) // Before the pixels is a byte that means "not filtered".
  const pixels = Buffer.alloc(lineLength * size)
  for (let row = 0; row < modules.size; row++) {
    const line = pixels.subarray((offset + row * scale) * lineLength).subarray(0, lineLength)
    for (let column = 0; column < modules.size; column++) {
      if (modules.data[row * modules.size + column] !== 1) continue
      const left = offset + column * scale
      for (let x = left; x < left + scale; x++) {
        const index = 1 + (x >> 3)
        line[index] = (line[index] ?? 0) | (0x80 >> (x & 7))
      }
    }
    for (let copy = 1; copy < scale; copy++) {
      line.copy(pixels, (offset + row * scale + copy) * lineLength)
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(size)),
    chunk('PLTE', Buffer.from(`ffffff${color.slice(1)}`, 'hex')),
    chunk('IDAT', await compress(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The PNG header: width, height, one bit per pixel, colors from a palette. */
function header(size: number): Buffer {
  const bytes = Buffer.alloc(13)
  bytes.writeUInt32BE(size, 0)
  bytes.writeUInt32BE(size, 4)
  bytes.set([1, 3], 8)
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

export function toSvg(
  { modules, scale, offset, size, color }: Drawing,
  width: number | undefined,
): string {
  const shown = width === undefined ? '' : ` width="${width}" height="${width}"`
  const path: string[] = []
  for (let row = 0; row < modules.size; row++) {
    const line = modules.data.subarray(row * modules.size, (row + 1) * modules.size)
    for (let from = line.indexOf(1); from !== -1;) {
      const next = line.indexOf(0, from)
      const to = next === -1 ? modules.size : next
      const length = (to - from) * scale
      path.push(`M${offset + from * scale} ${offset + row * scale}h${length}v${scale}h-${length}z`)
      from = line.indexOf(1, to)
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg"${shown} viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="#ffffff" d="M0 0h${size}v${size}H0z"/>` +
    `<path fill="${color}" d="${path.join('')}"/></svg>\n`
  )
}
