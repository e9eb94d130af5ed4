import { create } from 'qrcode'
import { toPng, toSvg, type Drawing } from './drawing.ts'

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

/**
 * Draws a PNG image of the requested size. Each module has a whole number of pixels, and the remaining pixels widen the
 * margin. If the code doesn't fit into the size even at one pixel a module, the image is larger.
 * @throws Error if the text is too long for a QR code (more than 2,331 bytes)
 */
export async function qrPng(text: string, style: QrStyle = {}): Promise<Buffer> {
  return toPng(layOut(text, style.size ?? DEFAULT_SIZE_PX, style))
}

export function qrSvg(text: string, style: QrStyle = {}): string {
  return toSvg(layOut(text, style.size, style), style.size)
}

function layOut(text: string, size: number | undefined, style: QrStyle): Drawing {
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

/**
 * How scanners weigh red, green and blue when they compute the brightness: BT.601 (phone cameras and JPEG), BT.709
 * (jsQR) and ZXing's own weights.
 */
const BRIGHTNESS_WEIGHTS = [
  [0.299, 0.587, 0.114],
  [0.2126, 0.7152, 0.0722],
  [0.25, 0.5, 0.25],
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
