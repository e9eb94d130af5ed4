import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'
import { create } from 'qrcode'

/** Edge length in pixels: sharp where Slack shows an image large, and small to upload (about 1 KB). */
const SIZE_PX = 512

/** White around the code, in modules: what ISO/IEC 18004 asks for, so that scanners find it. */
export const QUIET_ZONE = 4

/** Pixels of a module's edge where more of them don't fit into the size that was asked for. */
const SMALLEST_SCALE = 4

/** How a QR code is drawn. */
export interface QrStyle {
  /** `#RRGGBB`; whether it can be scanned is for `isScannable` to say. */
  color?: string | undefined
  /** Edge length in pixels, the white around it included. */
  size?: number | undefined
  /** White around the code, in modules. */
  margin?: number | undefined
}

/** Up to 15 % of the code may be hidden or damaged. */
export const ERROR_CORRECTION = 'M'

/** Black, which every scanner takes. */
export const DEFAULT_COLOR = '#000000'

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

const compress = promisify<Buffer, Buffer>(deflate)

/**
 * A QR code as a PNG image on white. It has two colours and a bit for each pixel, so that the
 * largest take milliseconds: anybody may ask for them.
 *
 * @throws when the text is longer than a QR code holds (2,331 bytes)
 */
export async function qrPng(
  text: string,
  { color = DEFAULT_COLOR, size = SIZE_PX, margin = QUIET_ZONE }: QrStyle = {},
): Promise<Buffer> {
  const { modules } = create(text, { errorCorrectionLevel: ERROR_CORRECTION })
  const across = modules.size + 2 * margin
  const edge = size >= across ? size : across * SMALLEST_SCALE
  const scale = edge / across
  const lines = Array.from({ length: across }, (_, row) =>
    lineOf(edge, (x) => isDark(modules, row - margin, Math.floor(x / scale) - margin)),
  )
  const pixels = Array.from(
    { length: edge },
    (_, y) => lines[Math.floor(y / scale)] ?? lineOf(edge),
  )
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(edge)),
    chunk('PLTE', Buffer.from(`ffffff${color.slice(1)}`, 'hex')),
    chunk('IDAT', await compress(Buffer.concat(pixels))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function isDark({ size, data }: { size: number; data: Uint8Array }, row: number, column: number) {
  const isInside = row >= 0 && column >= 0 && row < size && column < size
  return isInside && data[row * size + column] === 1
}

/** A line of pixels, a bit each, after a byte that says that it is not filtered. */
function lineOf(edge: number, isSet: (x: number) => boolean = () => false): Buffer {
  const line = Buffer.alloc(1 + Math.ceil(edge / 8))
  for (let x = 0; x < edge; x++) {
    const at = 1 + (x >> 3)
    if (isSet(x)) line[at] = (line[at] ?? 0) | (0x80 >> (x & 7))
  }
  return line
}

/** Width, height, one bit for each pixel, colours from a palette. */
function header(edge: number): Buffer {
  const bytes = Buffer.alloc(13)
  bytes.writeUInt32BE(edge, 0)
  bytes.writeUInt32BE(edge, 4)
  bytes.set([1, 3], 8)
  return bytes
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, sum])
}
