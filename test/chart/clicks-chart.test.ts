import fc from 'fast-check'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { clicksChart } from '../../src/chart/clicks-chart.ts'
import { stackedChartFile } from '../../src/chart/stacked-chart.ts'
import { daysFrom } from '../support/click-days.ts'

/** The picture of a link's clicks in Slack. */
const chartFile = (from: string, people: number[], title = 'go.example.com/spring'): string =>
  stackedChartFile({ title, from, series: [{ name: '', people }] })

/** The texts of a chart, and the bars with their heights. */
function read(svg: string): { texts: string[]; bars: number[] } {
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = '']) => text.trim())
  const bars = [...svg.matchAll(/<rect[^>]* height="([\d.]+)" rx="1.5"/g)].map(([, height]) =>
    Number(height),
  )
  return { texts, bars }
}

test('draws a bar for each day with clicks, as high as its share of the highest', () => {
  const { texts, bars } = read(chartFile('2027-02-27', [5, 0, 20, 10]))
  const [first = 0, second = 0, third = 0] = bars
  expect(bars).toHaveLength(3)
  expect(second / first).toBeCloseTo(4)
  expect(second / third).toBeCloseTo(2)
  expect(texts).toEqual([
    'go.example.com/spring',
    '35 clicks, one bar a day',
    'Feb 27 – Mar 2, 2027 (UTC)',
    '0',
    '5',
    '10',
    '15',
    '20',
    'Feb 27',
    'Feb 28',
    'Mar 1',
    'Mar 2',
    '20',
  ])
})

test.each([
  ['one day', '2027-03-01', 1, ['Mar 1'], 'Mar 1, 2027'],
  ['30 days', '2027-02-01', 30, ['Feb 7', 'Feb 14', 'Feb 21', 'Feb 28'], 'Feb 1 – Mar 2, 2027'],
  ['a week', '2027-03-01', 7, ['Mar 1', 'Mar 3', 'Mar 5', 'Mar 7'], 'Mar 1 – Mar 7, 2027'],
  [
    ...(['30 days with five Sundays', '2026-12-12', 30, ['Dec 13', 'Dec 27', 'Jan 10']] as const),
    'Dec 12, 2026 – Jan 10, 2027',
  ],
])('labels %s with round dates', (_, from, days, labels, range) => {
  const { texts } = read(chartFile(from, Array<number>(days).fill(3)))
  const peak = texts.pop()
  expect(texts.splice(-labels.length)).toEqual(labels)
  const [, , shownRange, ...numbers] = texts
  expect(shownRange).toBe(`${range} (UTC)`)
  expect(numbers.at(-1)).toBe(peak)
})

test('says that there are no clicks', () => {
  const { texts, bars } = read(chartFile('2027-03-01', [0, 0]))
  expect(bars).toEqual([])
  expect(texts.at(-1)).toBe('No clicks by people')
})

test('draws any number of days and clicks with finite, positive sizes inside the plot', () => {
  const counts = fc.oneof(fc.nat(3), fc.nat(100_000), fc.constant(Number.MAX_SAFE_INTEGER))
  fc.assert(
    fc.property(fc.array(counts, { minLength: 1, maxLength: 366 }), (people) => {
      const svg = renderToString(clicksChart({ days: daysFrom('2026-07-05', people), total: 1 }))
      expect(svg).not.toMatch(/NaN|Infinity|undefined/)
      expect(svg).not.toMatch(/(?:width|height)="-/)
      const { bars } = read(svg)
      expect(bars).toHaveLength(people.filter((count) => count > 0).length)
      for (const height of bars) expect(height).toBeLessThanOrEqual(200)
      for (const [, percent] of svg.matchAll(/ x="([\d.]+)%"/g)) {
        expect(Number(percent)).toBeLessThanOrEqual(100)
      }
    }),
    { numRuns: 40 },
  )
})

test('escapes and shortens the short URL', () => {
  const svg = chartFile('2027-03-01', [1], `a.example/<&${'x'.repeat(99)}-end`)
  expect(svg).toContain(`a.example/&lt;&amp;${'x'.repeat(2)}…${'x'.repeat(11)}-end`)
})

test.each([[[0]], [[12]], [[1_000_000]], [Array<number>(366).fill(1_000_000)]])(
  'all texts have at least 14 pixels as phones show a picture in Slack, and in the playground',
  (people) => {
    const svg = chartFile('2026-03-02', people)
    const [, width = '', height = ''] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
    // The playground shows pictures of messages at most 220 pixels high.
    const scale = Math.min(360 / Number(width), 220 / Number(height))
    const sizes = [...svg.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size) * scale)
    expect(sizes.length).toBeGreaterThan(0)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(14)
  },
)

test('a chart in a page has a name and a description', () => {
  const svg = renderToString(clicksChart({ days: daysFrom('2027-03-01', [1, 2]), total: 9 }))
  expect(svg).toContain('role="img" aria-labelledby="chart-title chart-text"')
  expect(svg).toContain('<title id="chart-title">Clicks by people, Mar 1 – Mar 2, 2027</title>')
  expect(svg).toContain(
    '<desc id="chart-text">Clicks by people: 2 today, 3 in 7 days, 3 in 30 days, 9 in total. Most on one day: 2, on Mar 2, 2027.</desc>',
  )
})
