import { toBuffer } from 'qrcode'

/** Edge length in pixels: sharp where Slack shows an image large, and small to upload (about 2 KB). */
const SIZE_PX = 512

/** White around the code, in modules: what ISO/IEC 18004 asks for, so that scanners find it. */
export const QUIET_ZONE = 4

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

export const DEFAULT_COLOR = '#000000'

/**
 * A QR code as a PNG image on white.
 *
 * @throws when the text is longer than a QR code holds (2,331 bytes)
 */
export function qrPng(
  text: string,
  { color = DEFAULT_COLOR, size = SIZE_PX, margin = QUIET_ZONE }: QrStyle = {},
): Promise<Buffer> {
  return toBuffer(text, {
    type: 'png',
    width: size,
    margin,
    errorCorrectionLevel: ERROR_CORRECTION,
    color: { dark: color, light: '#ffffff' },
  })
}
