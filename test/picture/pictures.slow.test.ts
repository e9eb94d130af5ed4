import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PNG } from 'pngjs'
import sharp from 'sharp'
import { expect, onTestFinished } from 'vitest'
import { PREVIEW_IMAGE_MAX_BYTES, previewImageIssue } from '../../src/contract/preview-image.ts'
import { createPictures } from '../../src/picture/pictures.ts'
import { withDirectory } from '../support/fixtures.ts'

const { test, at } = withDirectory()

/** A picture that no format compresses well. */
const noise = (width: number, height: number, channels: 3 | 4 = 3) => {
  let state = 1
  const pixels = Uint8Array.from({ length: width * height * channels }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  })
  return sharp(pixels, { raw: { width, height, channels } })
}

/** A machine that is busy might take longer than users wait. */
function start(limits: { maxWaiting?: number; timeout?: () => AbortSignal } = {}) {
  const warnings: unknown[] = []
  const logger = { warn: (about: unknown) => warnings.push((about as { err: unknown }).err) }
  const pictures = createPictures(logger as never, {
    timeout: () => new AbortController().signal,
    ...limits,
  })
  return { ...pictures, warnings }
}

const svg = (content: string, size = 'width="120" height="63"'): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${content}</svg>`)

const large = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(600_000, '\n')])

/** An SVG that takes minutes. */
const ENDLESS = svg(
  '<filter id="f"><feTurbulence baseFrequency="0.05" numOctaves="1000000"/></filter><rect width="120" height="63" filter="url(#f)"/>',
)

test.each<[string, string, () => Promise<Buffer>, string, number[]]>([
  ['a photo', 'a.jpg', () => noise(1_300, 650).jpeg().toBuffer(), 'a.jpg', [1200, 600]],
  ['an opaque PNG', 'a.b.png', () => noise(500, 500).png().toBuffer(), 'a.b.jpeg', [500, 500]],
  ['a transparent PNG', 'a.PNG', () => noise(300, 700, 4).png().toBuffer(), 'a.PNG', [270, 630]],
  ['an SVG', 'a.svg', async () => large(svg('<rect width="9" height="9"/>')), 'a.png', [1200, 630]],
])('shrinks %s that is too large', async (_what, filename, draw, name, [width, height]) => {
  const bytes = await draw()
  expect(bytes.length).toBeGreaterThan(PREVIEW_IMAGE_MAX_BYTES)
  const pictures = start()
  const fitted = await pictures.fit({ filename, bytes })
  expect(pictures.warnings).toEqual([])
  expect(fitted?.filename).toBe(name)
  expect(previewImageIssue(fitted ?? { filename: '', bytes })).toBeUndefined()
  expect(await sharp(fitted?.bytes).metadata()).toMatchObject({ width, height })
})

test('keeps an image that is small enough, and an image that will be refused', async () => {
  const pictures = start()
  for (const image of [
    { filename: 'a.png', bytes: await noise(9, 9).png().toBuffer() },
    { filename: 'a.gif', bytes: Buffer.alloc(600_000) },
    { filename: 'a.png', bytes: Buffer.alloc(600_000) },
  ]) {
    expect(await pictures.fit(image)).toBe(image)
  }
})

test('turns a photo upright, and removes where it was taken, even if it is small', async () => {
  const bytes = await sharp({ create: { width: 60, height: 20, channels: 3, background: 'red' } })
    .withExif({ IFD3: { GPSLatitude: '52/1 31/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect((await sharp(bytes).metadata()).exif).toBeDefined()
  const fitted = await start().fit({ filename: 'a.jpg', bytes })
  const { width, height, exif, orientation } = await sharp(fitted?.bytes).metadata()
  expect({ width, height, exif, orientation }).toEqual({ width: 20, height: 60 })
})

test.each<[string, Buffer, RegExp]>([
  ['more than 40 megapixels', svg('', 'width="7000" height="7000"'), /pixel limit/],
  ['other formats', Buffer.from('GIF89a'), /unsupported|no known loader|not supported/i],
  ['broken files', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), /./],
])('does not draw %s, and logs why', async (_what, bytes, reason) => {
  const { draw, warnings } = start()
  expect(await draw(bytes)).toBeUndefined()
  expect(warnings).toEqual([
    expect.objectContaining({ message: expect.stringMatching(reason) as unknown }),
  ])
})

test('draws texts in the font that we ship, and loads nothing that an SVG refers to', async () => {
  const requests: string[] = []
  const server = createServer(({ url = '' }, response) => response.end(requests.push(url)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const file = at('secret.png')
  await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } }).toFile(file)
  const { port } = server.address() as AddressInfo
  const hrefs = [`http://127.0.0.1:${port}/`, file, `file://${file}`]
  const images = hrefs.map((href) => `<image href="${href}" width="120" height="63"/>`)
  const text = '<text x="5" y="50" font-family="Arial" font-size="40">Hello</text>'
  const drawn = await start().draw(svg(images.join('') + text))
  const { data } = PNG.sync.read(Buffer.from(drawn?.bytes ?? []))
  const pixels = Array.from({ length: data.length / 4 }, (_, at) =>
    data.subarray(at * 4, at * 4 + 4),
  )
  const red = pixels.filter(([r = 0, g = 0, , a = 0]) => r > 200 && g < 50 && a > 0)
  const dark = pixels.filter(([r = 0, g = 0, , a = 0]) => r < 50 && g < 50 && a > 200)
  expect([requests, red.length]).toEqual([[], 0])
  expect(dark.length).toBeGreaterThan(5_000)
})

test('ends the process of a picture that takes too long, and draws the next one', async () => {
  const first = new AbortController()
  const signals = [first.signal, new AbortController().signal]
  const { draw, warnings } = start({ timeout: () => signals.shift() ?? AbortSignal.abort() })
  const endless = draw(ENDLESS)
  const next = draw(svg(''))
  first.abort()
  expect(await endless).toBeUndefined()
  expect(await next).toMatchObject({ format: 'png' })
  expect(warnings).toEqual([expect.objectContaining({ name: 'AbortError' })])
})

test('draws no more pictures while too many wait', async () => {
  const { draw, warnings } = start({ maxWaiting: 1 })
  const drawn = await Promise.all([draw(svg('')), draw(svg('')), draw(svg(''))])
  expect(drawn.map((one) => one?.format)).toEqual(['png', 'png', undefined])
  expect(warnings).toEqual([new Error('too many pictures wait')])
})
