import { create } from 'qrcode'
import { toPng, toSvg, type Drawing } from './drawing.ts'

export interface QrStyle {
  color?: string | undefined
  size?: number | undefined
  margin?: number | undefined
}

export const DEFAULT_COLOR = '#000000'

/** With this size, the image stays sharp when Slack enlarges it, and has only about 1 KB. */
const DEFAULT_SIZE_PX = 512

/** ISO/IEC 18004 requires this margin, so that scanners find the code. */
const DEFAULT_MARGIN_MODULES = 4

const ERROR_CORRECTION = 'M'
const SMALLEST_MODULE_PX = 4

/**
 * Draws a PNG image of exactly the requested size. Modules have a whole number of pixels, and the remaining pixels
 * widen the margin.
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
  const { modules } = create(text, { errorCorrectionLevel: ERROR_CORRECTION })
  const cells = modules.size + 2 * margin
  const scale = size === undefined ? 1 : Math.floor(size / cells) || SMALLEST_MODULE_PX
  const whole = size !== undefined && size >= cells ? size : cells * scale
  const offset = Math.floor((whole - modules.size * scale) / 2)
  return { modules, scale, offset, size: whole, color }
}

/**
 * The weights of red, green and blue in the brightness that scanners compute: BT.601 (phone cameras and JPEG),
 * BT.709 (jsQR), and the weights of ZXing.
 */
const BRIGHTNESS_WEIGHTS = [
  [0.299, 0.587, 0.114],
  [0.2126, 0.7152, 0.0722],
  [0.25, 0.5, 0.25],
] as const

/**
 * ZXing and its descendants treat an evenly colored area as dark only if it is darker than half of white,
 * which is 128. We keep a margin: at 128, jsQR failed on 4 of 180 codes; at 124, on none.
 */
const DARK_BELOW = 120

/**
 * Tells whether phones can distinguish a QR code in this color from its white background. The contrast limits of WCAG
 * don't help here, because they are made for eyes: 3:1 allows grays that scanners miss, 4.5:1 rejects pure red.
 */
export function isScannable(color: string): boolean {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return false
  const [red = 0, green = 0, blue = 0] = Buffer.from(color.slice(1), 'hex')
  return BRIGHTNESS_WEIGHTS.every(([r, g, b]) => r * red + g * green + b * blue < DARK_BELOW)
}
