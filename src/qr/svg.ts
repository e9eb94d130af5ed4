import { toString } from 'qrcode'
import { DEFAULT_COLOR, ERROR_CORRECTION, QUIET_ZONE, type QrStyle } from './png.ts'

/**
 * A QR code as an SVG image on white; without a size, in whatever size it is shown.
 *
 * @throws when the text is longer than a QR code holds (2,331 bytes)
 */
export function qrSvg(
  text: string,
  { color = DEFAULT_COLOR, size, margin = QUIET_ZONE }: QrStyle = {},
): Promise<string> {
  return toString(text, {
    type: 'svg',
    ...(size !== undefined && { width: size }),
    margin,
    errorCorrectionLevel: ERROR_CORRECTION,
    color: { dark: color, light: '#ffffff' },
  })
}
