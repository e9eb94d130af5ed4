/**
 * How much red, green and blue count in the brightness that scanners work on: BT.601 (what phone
 * cameras and JPEG deliver), BT.709 (jsQR), and the quarters that ZXing takes.
 */
const WEIGHTS = [
  [0.299, 0.587, 0.114],
  [0.2126, 0.7152, 0.0722],
  [0.25, 0.5, 0.25],
] as const

/**
 * ZXing's binarizer, and those made after it, take an evenly coloured patch for dark only below
 * half of white, 128. The rest is a margin: at 128 itself jsQR lost 4 of 180 codes, at 124 none.
 */
const DARK_BELOW = 120

/**
 * Whether phones can tell a QR code of this colour from the white around it. WCAG's contrast is
 * made for eyes: at 3:1 it lets greys pass that scanners lose, at 4.5:1 it refuses pure red.
 *
 * @param color `#RRGGBB`; anything else is not scannable
 */
export function isScannable(color: string): boolean {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return false
  const [red = 0, green = 0, blue = 0] = Buffer.from(color.slice(1), 'hex')
  return WEIGHTS.every(([r, g, b]) => r * red + g * green + b * blue < DARK_BELOW)
}
