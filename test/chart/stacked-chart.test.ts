import fc from 'fast-check'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { PICTURE_COLORS } from '../../src/chart/plot.ts'
import {
  reportChart,
  stackedChart,
  stackedChartFile,
  stackedChartText,
  type StackedChart,
} from '../../src/chart/stacked-chart.ts'
import type { Report } from '../../src/contract/report.ts'
import { DASHBOARD_STYLE } from '../../src/service/dashboard/page.ts'
import { readAsset } from '../../src/web/pages.ts'
import { daysFrom } from '../support/click-days.ts'
import { contrast, difference } from '../support/colors.ts'

const { series: COLORS, other: GRAY, paper: PAPER } = PICTURE_COLORS

function chartOf(series: Record<string, number[]>, from = '2026-11-01'): StackedChart {
  return {
    title: 'spring-sale by source',
    from,
    series: Object.entries(series).map(([name, people]) => ({ name, people })),
  }
}

const year = (people: number) => Array<number>(366).fill(people)

/** The texts of a chart, and its bars: the height of each part, by its color, from the bottom to the top. */
function read(svg: string): { texts: string[]; bars: [fill: string, height: number][][] } {
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = '']) => text.trim())
  const bars = svg
    .split('<g class="column">')
    .slice(1)
    .map((column) =>
      [...column.matchAll(/height="([\d.]+)" rx="[\d.]+" fill="([^"]+)"/g)].map(
        ([, height, fill = '']): [string, number] => [fill, Number(height)],
      ),
    )
  return { texts, bars }
}

test('stacks the series of each day, with a legend that has their figures', () => {
  const chart = chartOf({ newsletter: [10, 0, 20], social: [10, 5, 0], Other: [20, 0, 1_000] })
  const { texts, bars } = read(stackedChartFile(chart))
  expect(texts.slice(0, 10)).toEqual([
    ...['spring-sale by source', '1,065 clicks, one bar per day', 'Nov 1 – Nov 3, 2026 (UTC)'],
    ...['30', 'newsletter', '15', 'social', '1,020', 'Other', '0'],
  ])
  expect(bars.map((bar) => bar.map(([fill]) => fill))).toEqual([
    [COLORS[0], COLORS[1], GRAY],
    [COLORS[1]],
    [COLORS[0], GRAY],
  ])
  expect(stackedChartText(chart)).toBe(
    'Nov 1 – Nov 3, 2026 (UTC): 1,065 clicks by people. newsletter: 30. social: 15. Other: 1,020',
  )
})

test.each([
  [92, 'day', 92, 'Nov 1, 2026 (UTC): 3 clicks by people. a: 1. b: 2'],
  [93, 'week', 14, 'Nov 1 – Nov 2, 2026 (UTC): 6 clicks by people. a: 2. b: 4'],
])('%i days have a bar for each %s', (count, unit, bars, text) => {
  const chart = chartOf({ a: year(1).slice(0, count), b: year(2).slice(0, count) })
  const svg = stackedChartFile(chart)
  const drawn = read(svg)
  expect(drawn.texts[1]).toBe(`${(3 * count).toLocaleString('en-US')} clicks, one bar per ${unit}`)
  expect(drawn.bars).toHaveLength(bars)
  expect(svg).toContain(`<title>${text}</title>`)
})

test('a single series without a name has no legend, and the heights of its bars are proportional to the clicks', () => {
  const { texts, bars } = read(stackedChartFile(chartOf({ '': [5, 0, 20, 10] }, '2027-02-27')))
  const [first = 0, second = 0, third = 0] = bars.flat().map(([, height]) => height)
  expect(bars.map((bar) => bar.length)).toEqual([1, 0, 1, 1])
  expect(second / first).toBeCloseTo(4)
  expect(second / third).toBeCloseTo(2)
  expect(texts).toEqual([
    ...['spring-sale by source', '35 clicks, one bar per day', 'Feb 27 – Mar 2, 2027 (UTC)'],
    ...['0', '5', '10', '15', '20', 'Feb 27', 'Feb 28', 'Mar 2', '20'],
  ])
})

test.each([
  ['one day', '2027-03-01', 1, ['Mar 1'], 'Mar 1, 2027'],
  ['30 days', '2027-02-01', 30, ['Feb 7', 'Feb 14', 'Feb 21', 'Mar 2'], 'Feb 1 – Mar 2, 2027'],
  ['a week', '2027-03-01', 7, ['Mar 1', 'Mar 3', 'Mar 5', 'Mar 7'], 'Mar 1 – Mar 7, 2027'],
  ['five Sundays', '2026-12-12', 30, ['Dec 13', 'Dec 27', 'Jan 10'], 'Dec 12, 2026 – Jan 10, 2027'],
  ['92 days', '2026-12-03', 92, ['Jan 1', 'Feb 1', 'Mar 4'], 'Dec 3, 2026 – Mar 4, 2027'],
  ['90 days', '2026-05-28', 90, ['May 31', 'Jun 28', 'Jul 26', 'Aug 25'], 'May 28 – Aug 25, 2026'],
  ['a year', '2026-03-02', 365, ['Apr', 'Jul', 'Oct', 'Mar 1'], 'Mar 2, 2026 – Mar 1, 2027'],
])('labels %s with round dates and the last day', (_, from, days, labels, range) => {
  const { texts } = read(stackedChartFile(chartOf({ '': year(3).slice(0, days) }, from)))
  texts.pop()
  expect(texts.splice(-labels.length)).toEqual(labels)
  expect(texts[2]).toBe(`${range} (UTC)`)
})

test('a chart on a page has room for more dates than a picture', () => {
  const svg = renderToString(stackedChart(chartOf({ '': year(3).slice(0, 90) }, '2026-05-28')))
  const { texts } = read(svg)
  expect(texts.slice(-5, -1)).toEqual(['Jun 1', 'Jul 1', 'Aug 1', 'Aug 25'])
})

test('says that there are no clicks', () => {
  const chart = chartOf({ Other: [0, 0] })
  const { texts, bars } = read(stackedChartFile(chart))
  expect(bars).toEqual([[], []])
  expect(texts.at(-1)).toBe('No clicks by people')
  expect(stackedChartText(chart)).toBe('Nov 1 – Nov 2, 2026 (UTC): 0 clicks by people')
})

test('escapes and shortens names, and numbers those that the font can’t draw', () => {
  const long = `<&${'x'.repeat(2_000)}-end`
  const chart = chartOf({ [long]: [1], 春のセール: [1], 'Ёлка 🎄\u0007\u202e': [1], '1 & 2': [1] })
  const { texts } = read(stackedChartFile({ ...chart, title: '春のセール by source' }))
  expect(texts[0]).toBe('by source')
  expect([4, 6, 8, 10].map((at) => texts[at])).toEqual([
    `&lt;&amp;${'x'.repeat(12)}…${'x'.repeat(11)}-end`,
    'No. 2',
    'Ёлка',
    '1 &amp; 2',
  ])
  expect(stackedChartText(chart)).toContain('x-end: 1. 春のセール: 1. ')
  expect(stackedChartText(chart).length).toBeLessThan(250)
})

test('draws shapes of finite, positive size for any numbers of clicks', () => {
  const counts = fc.oneof(fc.nat(3), fc.nat(100_000), fc.constant(2 ** 50))
  const series = (days: number) => fc.array(counts, { minLength: days, maxLength: days })
  const charts = fc
    .integer({ min: 1, max: 366 })
    .chain((days) => fc.array(series(days), { minLength: 1, maxLength: 6 }))
  fc.assert(
    fc.property(charts, (series) => {
      const named = Object.fromEntries(series.map((people, at) => [`source ${at}`, people]))
      const svg = stackedChartFile(chartOf(named))
      expect(svg).not.toMatch(/NaN|Infinity|undefined|(?:width|height)="-/)
      for (const [, y] of svg.matchAll(/ y="([-\d.]+)"[^>]* rx="[\d.]+" fill/g)) {
        // Parts with few clicks are a pixel high.
        expect(Number(y)).toBeGreaterThan(-series.length)
      }
    }),
    { numRuns: 20 },
  )
})

test('has texts of at least 14 pixels in a picture at most 360 pixels wide, the width on phones', () => {
  const names = Array.from({ length: 6 }, (_, at) => [`source ${at}`, year(1_000_000)] as const)
  const svg = stackedChartFile(chartOf(Object.fromEntries(names)))
  expect(svg).toContain('viewBox="0 0 360 360"')
  const sizes = [...svg.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size))
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(14)
})

/** The variables of the dashboard's pages in their light or dark colors. */
function variables(scheme: 'light' | 'dark'): Record<string, string> {
  const style = readAsset('base.css', import.meta.resolve('../../src/web/')) + DASHBOARD_STYLE
  const rules = style.matchAll(/(@media[^{]*dark\) \{\s*)?:root \{([^}]*)\}/g)
  const found = [...rules].filter(([, dark]) => scheme === 'dark' || !dark)
  return Object.fromEntries(
    found.flatMap(([, , rule = '']) =>
      [...rule.matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value]),
    ),
  ) as Record<string, string>
}

function pageColors(scheme: 'light' | 'dark'): [paper: string, ...colors: string[]] {
  const found = variables(scheme)
  const names = ['--paper', '--accent', '--series-2', '--series-3', '--series-4', '--series-5']
  expect(found['--series-1']).toBe('var(--accent)')
  return [...names, '--edge'].map((name) => found[name]) as [string, ...string[]]
}

test.each([
  ['a picture', [PAPER, ...COLORS, GRAY]],
  ['a light page', pageColors('light')],
  ['a dark page', pageColors('dark')],
] as const)('the colors of %s differ for all eyes, and from the background', (_, all) => {
  const [paper, ...colors] = all
  expect(colors).toHaveLength(6)
  for (const [at, color] of colors.entries()) {
    expect(contrast(color, paper)).toBeGreaterThan(3)
    for (const other of colors.slice(0, at)) expect(difference(color, other)).toBeGreaterThan(0.1)
  }
})

const REPORT: Report = {
  from: '2026-11-01',
  to: '2026-11-02',
  previous_from: '2026-10-30',
  previous_to: '2026-10-31',
  group_by: 'utm_source',
  total_people: 40,
  previous_people: 0,
  days: daysFrom('2026-11-01', [30, 10]),
  groups: [9, 8, 7, 6, 0, 2].map((people, at) => ({
    name: String(at),
    label: at === 4 ? '' : `source ${at}`,
    people: people + 1,
    previous_people: 0,
    days: [people, 1],
  })),
  has_more: true,
}

test('a report’s chart names five groups, and the rest of the clicks is “Other”', () => {
  const { series, total } = reportChart('Clicks by source', REPORT)
  const names = ['source 0', 'source 1', 'source 2', 'source 3', 'No source', 'Other']
  expect(series.map(({ name }) => name)).toEqual(names)
  expect(series.at(-1)?.people).toEqual([0, 5])
  expect(total).toBeUndefined()
})

test('the chart of a report by tags has the clicks of all links as its total', () => {
  const chart = reportChart('Clicks by tag', { ...REPORT, group_by: 'tag' })
  expect(chart.series.at(-1)).toEqual({ name: 'Other', people: [2, 1] })
  expect(stackedChartText(chart)).toContain(': 40 clicks by people. source 0: 10. ')
})

test('a chart in a page has a name and a description', () => {
  const chart = reportChart('Clicks by source', REPORT)
  const markup = renderToString(stackedChart(chart))
  expect(markup).toContain('<title id="chart-title">Clicks by source</title>')
  expect(markup).toContain(`<desc id="chart-text">${stackedChartText(chart)}</desc>`)
})
