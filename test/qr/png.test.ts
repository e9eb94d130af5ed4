import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { isScannable } from '../../src/qr/color.ts'
import { qrPng } from '../../src/qr/png.ts'

const SHORT_URL = 'https://go.example.com/Ab3dE9x'

function decode(png: Buffer) {
  const { data, width, height } = PNG.sync.read(png)
  const code = jsqr.default(new Uint8ClampedArray(data), width, height)
  return { text: code?.data, width, height }
}

/** The colours that occur in an image, as `#rrggbb`. */
function colorsOf(png: Buffer): Set<string> {
  const { data } = PNG.sync.read(png)
  const colors = new Set<string>()
  for (let at = 0; at < data.length; at += 4) {
    colors.add(`#${data.subarray(at, at + 3).toString('hex')}`)
  }
  return colors
}

/** The lightest shade of a colour that is accepted. */
function palest([red, green, blue]: [number, number, number]): string {
  for (let share = 1; ; share -= 0.005) {
    const rgb = Buffer.from([red * share, green * share, blue * share])
    const color = `#${rgb.toString('hex')}`
    if (isScannable(color)) return color
  }
}

const PALEST = (
  [
    [255, 255, 255],
    [255, 120, 120],
    [255, 150, 0],
    [255, 255, 0],
    [0, 255, 0],
    [0, 255, 255],
    [120, 120, 255],
    [255, 0, 255],
  ] as [number, number, number][]
).map(palest)

test.each(['#000000', '#1F4F46', '#ff0000', '#0000ff', ...PALEST])(
  'a decoder reads the text back from a code in %s, 512 pixels square',
  async (color) => {
    const png = await qrPng(SHORT_URL, { color })
    expect(decode(png)).toEqual({ text: SHORT_URL, width: 512, height: 512 })
    expect(colorsOf(png)).toEqual(new Set(['#ffffff', color.toLowerCase()]))
  },
)

test('the code is black unless a colour is given', async () => {
  expect(colorsOf(await qrPng(SHORT_URL))).toEqual(new Set(['#ffffff', '#000000']))
})

test('a decoder reads back letters of any script and a long text', async () => {
  const text = `https://例え.example/${'ü'.repeat(200)}`
  expect(decode(await qrPng(text)).text).toBe(text)
})

test('the code stands in a white border four modules wide', async () => {
  const { data, width } = PNG.sync.read(await qrPng(SHORT_URL))
  const isDark = (pixel: number): boolean => data[pixel * 4] === 0
  const firstDark = Array.from({ length: width * width }).findIndex((_, pixel) => isDark(pixel))
  // 29 modules for this text, and four on each side.
  expect(Math.floor(firstDark / width)).toBe(Math.ceil((4 * width) / (29 + 8)))
})

test('a text that no QR code can hold is refused', async () => {
  await expect(qrPng('x'.repeat(2_332))).rejects.toThrow(/too big/i)
})

test('the largest has a bit for each pixel, so that drawing it holds nobody up', async () => {
  const png = await qrPng(SHORT_URL, { size: 2_000 })
  expect(decode(png)).toEqual({ text: SHORT_URL, width: 2_000, height: 2_000 })
  expect(png.length).toBeLessThan(4_000)
})
