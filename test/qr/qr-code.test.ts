import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { create } from 'qrcode'
import { expect, test } from 'vitest'
import { isScannable, qrPng, qrSvg } from '../../src/qr/qr-code.ts'

const SHORT_URL = 'https://go.example.com/Ab3dE9x'

function decode(png: Buffer) {
  const { data, width, height } = PNG.sync.read(png)
  const code = jsqr.default(new Uint8ClampedArray(data), width, height)
  return { text: code?.data, width, height }
}

/** The colors that occur in an image, as `#rrggbb`. */
function colorsOf(png: Buffer): Set<string> {
  const { data } = PNG.sync.read(png)
  const colors = new Set<number>()
  for (let offset = 0; offset < data.length; offset += 4) colors.add(data.readUIntBE(offset, 3))
  return new Set([...colors].map((color) => `#${color.toString(16).padStart(6, '0')}`))
}

/** The lightest shade of a color that is accepted. */
function lightest(color: string): string {
  const rgb = Buffer.from(color, 'hex')
  for (let share = 1; ; share -= 0.005) {
    const shade = `#${Buffer.from(rgb.map((value) => value * share)).toString('hex')}`
    if (isScannable(shade)) return shade
  }
}

const LIGHTEST = 'ffffff ff7878 ff9600 ffff00 00ff00 00ffff 7878ff ff00ff'.split(' ').map(lightest)

test.each(['#000000', '#1F4F46', '#ff0000', '#0000ff', ...LIGHTEST])(
  'draws a code in %s that a decoder can read, 512 pixels square',
  async (color) => {
    const png = await qrPng(SHORT_URL, { color })
    expect(decode(png)).toEqual({ text: SHORT_URL, width: 512, height: 512 })
    expect(colorsOf(png)).toEqual(new Set(['#ffffff', color.toLowerCase()]))
  },
)

test('encodes any script and long texts', async () => {
  const text = `https://例え.example/${'ü'.repeat(200)}`
  expect(decode(await qrPng(text)).text).toBe(text)
})

test('draws in black by default, with a white margin of at least four modules', async () => {
  const png = await qrPng(SHORT_URL)
  expect(colorsOf(png)).toEqual(new Set(['#ffffff', '#000000']))
  const { data, width } = PNG.sync.read(png)
  const firstDark = data.findIndex((value, at) => at % 4 === 0 && value === 0) / 4
  // This text takes 29 modules of 13 pixels, and the rest of the 512 pixels is the margin.
  const margin = Math.floor((512 - 29 * 13) / 2)
  expect([Math.floor(firstDark / width), firstDark % width]).toEqual([margin, margin])
})

/** The lengths of all runs of equal pixels within the code, in each row. */
function runLengths({ data, width }: PNG, margin: number): Set<number> {
  const lengths = new Set<number>()
  for (let y = 0; y < width; y++) {
    const row = Array.from({ length: width }, (_, x) => Number(data[(y * width + x) * 4] === 0))
    const inside = row.slice(margin, width - margin).join('')
    const runs = inside.match(/0+|1+/g) ?? []
    // Rows of the margin, and the light modules next to it, are not of interest.
    for (const run of runs.slice(1, -1)) lengths.add(run.length)
  }
  return lengths
}

test('draws every module with the same whole number of pixels, at every size', async () => {
  for (let size = 100; size <= 900; size += 81) {
    const png = await qrPng(SHORT_URL, { size })
    expect(decode(png)).toEqual({ text: SHORT_URL, width: size, height: size })
    const scale = Math.floor(size / (29 + 8))
    const lengths = [...runLengths(PNG.sync.read(png), 4 * scale)]
    expect(lengths.filter((length) => length % scale !== 0)).toEqual([])
  }
})

test('draws four pixels per module if the requested size is too small', async () => {
  const size = 4 * (29 + 8)
  const drawn = decode(await qrPng(SHORT_URL, { size: 10 }))
  expect(drawn).toEqual({ text: SHORT_URL, width: size, height: size })
})

test('keeps the largest image small with one bit per pixel', async () => {
  expect((await qrPng(SHORT_URL, { size: 2_000 })).length).toBeLessThan(4_000)
})

test('draws an SVG with the same margin, in the color on white', () => {
  const svg = qrSvg(SHORT_URL, { color: '#1f4f46' })
  const { size, data } = create(SHORT_URL, { errorCorrectionLevel: 'M' }).modules
  expect(svg).toContain(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size + 8} ${size + 8}"`,
  )
  expect(new Set(svg.match(/#[0-9a-f]{6}/g))).toEqual(new Set(['#ffffff', '#1f4f46']))
  const drawn = new Uint8Array(size * size)
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    const start = (Number(y) - 4) * size + Number(x) - 4
    drawn.fill(1, start, start + Number(length))
  }
  expect(drawn).toEqual(new Uint8Array(data))
})

test('draws an SVG of a given size with modules of a whole number of pixels', () => {
  const svg = qrSvg(SHORT_URL, { size: 300 })
  expect(svg).toContain('width="300" height="300" viewBox="0 0 300 300"')
  const lengths = [...svg.matchAll(/h(\d+)v8h-/g)].map(([, length]) => Number(length))
  expect(lengths.length).toBeGreaterThan(100)
  expect(lengths.filter((length) => length % 8 !== 0)).toEqual([])
})

test.each(['#000000', '#1F4F46', '#ff0000', '#0000FF', '#777777', '#009900'])(
  'accepts %s',
  (color) => expect(isScannable(color)).toBe(true),
)

// A decoder fails on the last three, although their contrast with white is 3:1. The first test shows that it can read
// the lightest colors that are accepted.
const TOO_LIGHT = ['#ffffff', '#ffff00', '#00ff00', '#787878', '#949494', '#999900', '#e57300']
const NOT_RRGGBB = ['', 'black', '#000', '#12345g', '#00000000']

test.each([...TOO_LIGHT, ...NOT_RRGGBB])('rejects “%s”', (color) =>
  expect(isScannable(color)).toBe(false),
)
