import { LRUCache } from 'lru-cache'
import { create } from 'qrcode'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

/** The size is in pixels, and the margin in modules, which are the squares of the code. */
export interface QrStyle {
  color?: string | undefined
  size?: number | undefined
  margin?: number | undefined
}

export const DEFAULT_COLOR = '#000000'

/** An image of this size stays sharp when Slack enlarges it, and takes only about 1 KB. */
const DEFAULT_SIZE_PX = 512

/** ISO/IEC 18004 requires this margin, so that scanners find the code. */
const DEFAULT_MARGIN_MODULES = 4

const SMALLEST_MODULE_PX = 4

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

const compress = promisify<Buffer, Buffer>(deflate)

/** @throws Error if the text is too long for a QR code (more than 2,331 bytes) */
export async function qrPng(text: string, style: QrStyle = {}): Promise<Buffer> {
  const { modules, scale, offset, size, color } = layOut(text, style.size ?? DEFAULT_SIZE_PX, style)
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
    PNG_SIGNATURE,
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

export function qrSvg(text: string, style: QrStyle = {}): string {
  const { size: width } = style
  const { modules, scale, offset, size, color } = layOut(text, width, style)
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

/**
 * Makes each module a whole number of pixels, `scale`, because scanners miss some codes whose modules differ in width.
 * The remaining pixels widen the margin. If the code doesn't fit even at one pixel a module, the image is larger.
 */
function layOut(text: string, size: number | undefined, style: QrStyle) {
  const { color = DEFAULT_COLOR, margin = DEFAULT_MARGIN_MODULES } = style
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const widthInModules = modules.size + 2 * margin
  if (size === undefined) return { modules, scale: 1, offset: margin, size: widthInModules, color }
  const fits = size >= widthInModules
  const scale = fits ? Math.floor(size / widthInModules) : SMALLEST_MODULE_PX
  const imageSize = fits ? size : widthInModules * scale
  const offset = Math.floor((imageSize - modules.size * scale) / 2)
  return { modules, scale, offset, size: imageSize, color }
}

const CACHE_BYTES = 8_000_000
const MAX_WAITING = 200

/** Draws one image at a time. An image takes about 2 ms, but anyone can request hundreds at once. */
export function createQrImages({ cacheBytes = CACHE_BYTES, maxWaiting = MAX_WAITING } = {}) {
  const cache = new LRUCache<string, Buffer>({
    maxSize: cacheBytes,
    sizeCalculation: (image, key) => image.length + key.length + 1,
  })
  const waiting = new Map<string, Promise<Buffer>>()
  let last: Promise<unknown> = Promise.resolve()

  return {
    /** @returns undefined if too many images are waiting to be drawn */
    async draw(format: 'png' | 'svg', text: string, style: QrStyle): Promise<Buffer | undefined> {
      const key = JSON.stringify([format, text, style.color, style.size, style.margin])
      const existing = cache.get(key) ?? waiting.get(key)
      if (existing) return existing
      if (waiting.size >= maxWaiting) return undefined
      const image = last.then(async () => {
        // Lets other requests run between two images.
        await setImmediate()
        const drawn = format === 'png' ? await qrPng(text, style) : Buffer.from(qrSvg(text, style))
        cache.set(key, drawn)
        return drawn
      })
      waiting.set(key, image)
      const stopWaiting = (): boolean => waiting.delete(key)
      last = image.then(stopWaiting, stopWaiting)
      return image
    },
  }
}

/** How scanners weigh red, green and blue when they compute the brightness. */
const BRIGHTNESS_WEIGHTS = [
  [0.299, 0.587, 0.114], // BT.601: phone cameras and JPEG.
  [0.2126, 0.7152, 0.0722], // BT.709: jsQR.
  [0.25, 0.5, 0.25], // ZXing.
] as const

/**
 * ZXing and its descendants treat an evenly colored area as dark only if its brightness is below half of white's, which
 * is 128. Our limit is lower to be safe: with colors at 128, jsQR failed to read 4 of 180 codes, and at 124 none.
 */
const DARK_BELOW = 120

/**
 * Tells whether phones can distinguish a QR code in this color from its white background. The contrast limits of WCAG
 * are made for eyes and don't suit scanners: 3:1 allows grays that scanners miss, and 4.5:1 rejects pure red.
 */
export function isScannable(color: string): boolean {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return false
  const [red = 0, green = 0, blue = 0] = Buffer.from(color.slice(1), 'hex')
  return BRIGHTNESS_WEIGHTS.every(([r, g, b]) => r * red + g * green + b * blue < DARK_BELOW)
}
