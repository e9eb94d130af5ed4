import { fastify } from 'fastify'
import { PNG } from 'pngjs'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createChartPictures } from '../../../src/chart/chart-pictures.ts'
import { LIMITS } from '../../../src/slack/block-kit/elements.ts'
import { chartImageRoutes, createChartLinks } from '../../../src/slack/links/chart-links.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'

const keyring = createKeyring([Buffer.alloc(32, 1)])
const links = createChartLinks(keyring)
const content = {
  title: 'go.example.com/x',
  from: '2026-03-01',
  series: [{ name: '', people: Array.from({ length: 30 }, (_, day) => day * 1000) }],
}

// However long a busy machine takes.
const charts = createChartPictures({ timeout: () => new AbortController().signal })
afterAll(() => charts.close())

test('encodes the content of a chart in its file name, shorter than Slack’s limit for URLs', () => {
  const name = links.fileName(content)
  expect(links.content(name)).toEqual(content)
  expect(name.length).toBeLessThan(1000)
  expect(createChartLinks(createKeyring([Buffer.alloc(32, 2)])).content(name)).toBeUndefined()
})

test.each([
  ['a month', 31, 9_999, true],
  ['two months with few clicks', 61, 9, true],
  ['a year', 366, 0, false],
])(
  'the URL of a chart is used only if it is short enough for Slack: %s of six sources',
  (_range, days, clicks, isTaken) => {
    const people = Array<number>(days).fill(clicks)
    const series = Array.from({ length: 6 }, (_, at) => ({
      name: `a-source-of-clicks-${at}`,
      people,
    }))
    const report = { title: 'Campaign “spring-sale”, tag “print”', from: '2026-03-01', series }
    expect(links.content(links.fileName(report))).toEqual(report)
    const address = `https://backhalf.example.com/chart/${links.fileName(report)}`
    expect(address.length <= LIMITS.imageUrl).toBe(isTaken)
  },
)

async function serverWith(pictures: Parameters<typeof chartImageRoutes>[1]) {
  const server = fastify({ routerOptions: { maxParamLength: 3000 } })
  onTestFinished(() => server.close())
  await server.register(chartImageRoutes(links, pictures))
  return server
}

test('draws a chart from its address, and lets it be cached forever', async () => {
  const server = await serverWith(charts)
  const image = await server.inject(`/chart/${links.fileName(content)}`)
  expect(image.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(PNG.sync.read(image.rawPayload).width).toBe(1080)
  expect((await server.inject('/chart/x.png')).statusCode).toBe(404)
})

test('asks to try again later if the chart can’t be drawn now', async () => {
  const server = await serverWith({
    draw: () => Promise.reject(new Error('too many charts at once')),
  })
  const answer = await server.inject(`/chart/${links.fileName(content)}`)
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1'])
})
