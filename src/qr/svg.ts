import { toString } from 'qrcode'
import { DEFAULT_COLOR, ERROR_CORRECTION, QUIET_ZONE } from './png.ts'

/**
 * A QR code as an SVG image on white, in whatever size it is shown.
 *
 * @param color `#RRGGBB`; whether it can be scanned is for `isScannable` to say
 * @throws when the text is longer than a QR code holds (2,331 bytes)
 */
export function qrSvg(text: string, { color = DEFAULT_COLOR } = {}): Promise<string> {
  return toString(text, {
    type: 'svg',
    margin: QUIET_ZONE,
    errorCorrectionLevel: ERROR_CORRECTION,
    color: { dark: color, light: '#ffffff' },
  })
}
