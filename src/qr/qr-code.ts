import { create, toString } from 'qrcode'
import { gridPng } from './png.ts'

/** How a QR code is drawn. The background is always white. */
export interface QrStyle {
  /** `#RRGGBB`. Use `isScannable` to check it. */
  color?: string | undefined
  /** Width and height in pixels, including the margin. */
  size?: number | undefined
  /** The width of the white margin, in modules. */
  margin?: number | undefined
}

/** Black, which every scanner can read. */
export const DEFAULT_COLOR = '#000000'

/** In pixels: sharp where Slack enlarges the image, and only about 1 KB to upload. */
const DEFAULT_SIZE = 512

/** In modules. ISO/IEC 18004 requires this margin, so that scanners find the code. */
const DEFAULT_MARGIN = 4

/** Up to 15 % of the code may be hidden or damaged. */
const ERROR_CORRECTION = 'M'

/** The size of a module in pixels, if the requested size is too small for one pixel each. */
const SMALLEST_MODULE = 4

/**
 * Draws a QR code as a PNG image. Even the largest takes only milliseconds, because anyone may
 * request one.
 *
 * @throws Error if the text is too long for a QR code (more than 2,331 bytes)
 */
export async function qrPng(
  text: string,
  { color = DEFAULT_COLOR, size = DEFAULT_SIZE, margin = DEFAULT_MARGIN }: QrStyle = {},
): Promise<Buffer> {
  const { modules } = create(text, { errorCorrectionLevel: ERROR_CORRECTION })
  const cells = modules.size + 2 * margin
  return gridPng({
    cells,
    size: size >= cells ? size : cells * SMALLEST_MODULE,
    color,
    isSet: (row, column) => isDark(modules, row - margin, column - margin),
  })
}

function isDark({ size, data }: { size: number; data: Uint8Array }, row: number, column: number) {
  const isInside = row >= 0 && column >= 0 && row < size && column < size
  return isInside && data[row * size + column] === 1
}

/**
 * Draws a QR code as an SVG image. Without a size, it fills the space where it is shown.
 *
 * @throws Error if the text is too long for a QR code (more than 2,331 bytes)
 */
export function qrSvg(
  text: string,
  { color = DEFAULT_COLOR, size, margin = DEFAULT_MARGIN }: QrStyle = {},
): Promise<string> {
  return toString(text, {
    type: 'svg',
    ...(size !== undefined && { width: size }),
    margin,
    errorCorrectionLevel: ERROR_CORRECTION,
    color: { dark: color, light: '#ffffff' },
  })
}

/**
 * The weights of red, green and blue in the brightness that scanners compute: BT.601 (phone cameras
 * and JPEG), BT.709 (jsQR), and the weights of ZXing.
 */
const BRIGHTNESS_WEIGHTS = [
  [0.299, 0.587, 0.114],
  [0.2126, 0.7152, 0.0722],
  [0.25, 0.5, 0.25],
] as const

/**
 * ZXing and its descendants treat an evenly colored area as dark only if it is darker than half of
 * white, which is 128. We keep a margin: at 128, jsQR failed on 4 of 180 codes; at 124, on none.
 */
const DARK_BELOW = 120

/**
 * Whether phones can distinguish a QR code in this color from its white background. The contrast
 * limits of WCAG are made for eyes: 3:1 allows grays that scanners miss, 4.5:1 rejects pure red.
 *
 * @param color `#RRGGBB`; anything else is not scannable
 */
export function isScannable(color: string): boolean {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return false
  const [red = 0, green = 0, blue = 0] = Buffer.from(color.slice(1), 'hex')
  return BRIGHTNESS_WEIGHTS.every(([r, g, b]) => r * red + g * green + b * blue < DARK_BELOW)
}
