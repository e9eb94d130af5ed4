import { PNG } from 'pngjs'
import { expect, onTestFinished, test } from 'vitest'
import { createChartPictures } from '../../src/chart/chart-pictures.ts'
import { stackedChartFile } from '../../src/chart/stacked-chart.ts'

function start(limits: Parameters<typeof createChartPictures>[0] = {}) {
  const pictures = createChartPictures(limits)
  onTestFinished(() => pictures.close())
  return pictures
}

const chart = (people: number[], title = 'go.example.com/spring'): string =>
  stackedChartFile({ title, from: '2027-03-01', series: [{ name: '', people }] })

/** How many pixels of an area are dark, as texts are. */
function darkPixels({ width, data }: PNG, area: { from: number; to: number }): number {
  let dark = 0
  for (let at = area.from * width; at < area.to * width; at++) {
    if ((data[at * 4] ?? 255) < 100) dark += 1
  }
  return dark
}

test('draws a chart as a PNG once, with texts in the font that we ship', async () => {
  const pictures = start()
  const draw = async (shortUrl: string) => pictures.draw(chart([1, 5, 2], shortUrl))
  const [first, second] = await Promise.all([draw('https://a.example'), draw('https://a.example')])
  expect(second).toBe(first)
  expect(await draw('https://a.example')).toBe(first)
  const image = PNG.sync.read(Buffer.from(first))
  expect([image.width, image.height]).toEqual([1080, 720])
  const longer = PNG.sync.read(Buffer.from(await draw('https://a.example/spring-and-summer')))
  const heading = { from: 30, to: 90 }
  expect(darkPixels(image, heading)).toBeGreaterThan(200)
  expect(darkPixels(longer, heading)).toBeGreaterThan(darkPixels(image, heading))
})

test('draws the others if one can’t be drawn', async () => {
  const pictures = start()
  const drawn = ['not an SVG', chart([1]), chart([2])].map((svg) => pictures.draw(svg))
  const results = await Promise.allSettled(drawn)
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  const reason = { message: 'the chart can’t be drawn', cause: expect.any(Error) as unknown }
  expect(results[0]).toMatchObject({ reason })
})

test('rejects pictures while too many wait', async () => {
  const pictures = start({ maxWaiting: 2 })
  const drawn = [1, 2, 3, 4, 5].map((people) => pictures.draw(chart([people])))
  const results = await Promise.allSettled(drawn)
  expect(results[0]?.status).toBe('fulfilled')
  expect(results[4]?.status).toBe('rejected')
  await pictures.draw(chart([5]))
})

test('gives up a picture that takes too long, and draws the next one', async () => {
  const first = new AbortController()
  const signals = [first.signal, new AbortController().signal]
  const pictures = start({ timeout: () => signals.shift() ?? AbortSignal.abort() })
  const slow = pictures.draw(chart([1]))
  const next = pictures.draw(chart([2]))
  first.abort()
  await expect(slow).rejects.toThrow('the chart can’t be drawn')
  expect(await next).toBeInstanceOf(Uint8Array)
})

test('draws nothing after it was closed', async () => {
  const pictures = start()
  const waiting = pictures.draw(chart([1]))
  await Promise.all([expect(waiting).rejects.toThrow('can’t be drawn'), pictures.close()])
  await expect(pictures.draw(chart([1]))).rejects.toThrow('can’t be drawn')
})
