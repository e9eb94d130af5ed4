import { hexColor } from '../../contract/create-request.ts'
import { isScannable } from '../../qr/color.ts'
import { cut } from '../blocks/limits.ts'

/** What is wrong with a QR code's colour, in words; undefined where it is good. */
export function colorFault(color: string): string | undefined {
  if (!hexColor.safeParse(color).success) {
    return 'Write the colour as # and six digits, like #1F4F46.'
  }
  if (!isScannable(color)) {
    return `${cut(color, 80)} is too pale: phones couldn’t scan it on white. Choose a darker colour.`
  }
  return undefined
}
