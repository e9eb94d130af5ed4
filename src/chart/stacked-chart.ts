import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { groupLabel, type Report } from '../contract/report.ts'
import { formatCount, formatNumber } from '../web/numbers.ts'
import { rangeText } from './click-figures.ts'
import { pageChart, pictureChart, shortened } from './frames.ts'
import { PAGE_COLORS, PICTURE_COLORS, type Bar, type ChartColors } from './plot.ts'

/** Clicks of people in a range of days, by groups of links. */
export interface StackedChart {
  title: string
  /** The first day, `YYYY-MM-DD` in UTC. */
  from: string
  /**
   * At most MAX_SERIES, and “Other”. Each has the clicks of every day, the first day first. If there is only one, its
   * name may be empty. It is then not in the legend.
   */
  series: readonly { name: string; people: readonly number[] }[]
  /** The clicks of all links, if series count some of them twice, as those of tags do. */
  total?: number | undefined
}

/** As many as have a color of their own. */
export const MAX_SERIES = PICTURE_COLORS.series.length

const OTHER = 'Other'

/** The chart of a report: its first groups, and “Other” for the clicks of all others. */
export function reportChart(
  title: string,
  { from, group_by, total_people: total, days, groups }: Report,
): StackedChart {
  const [named, rest] = [groups.slice(0, MAX_SERIES), groups.slice(MAX_SERIES)]
  const sum = (of: typeof groups, at: number) =>
    of.reduce((all, { days }) => all + (days[at] ?? 0), 0)
  // A link with several tags counts for each of them, so the tags of a day add up to more than its clicks.
  const isTags = group_by === 'tag'
  const other = days.map(({ people }, at) =>
    isTags ? sum(rest, at) : Math.max(0, people - sum(named, at)),
  )
  const series = named.map((group) => ({ name: groupLabel(group, group_by), people: group.days }))
  if (series.length === 0 || other.some((people) => people > 0)) {
    series.push({ name: OTHER, people: other })
  }
  return { title, from, series, total: isTags ? total : undefined }
}

/** A chart within a page (frames.ts), and its legend. */
export function stackedChart(chart: StackedChart): VNode[] {
  const { bars, legend } = drawn(chart, PAGE_COLORS)
  return [
    pageChart(chart.title, stackedChartText(chart), bars),
    html`<ul class="legend">
      ${legend.map(
        ({ name, fill }) =>
          html`<li>
            <svg width="12" height="12" aria-hidden="true">
              <rect width="12" height="12" rx="2" fill=${fill} />
            </svg>
            <bdi>${name}</bdi>
          </li>`,
      )}
    </ul>`,
  ]
}

/** A chart as an SVG file, to be drawn as a picture (chart-pictures.ts). */
export function stackedChartFile(chart: StackedChart): string {
  const { bars, legend, range, total, unit } = drawn(chart, PICTURE_COLORS)
  const lines = [`${formatCount(total, 'click')}, one bar a ${unit}`, `${range} (UTC)`]
  return pictureChart(
    { title: chart.title, lines, legend: legend.filter(({ name }) => name !== '') },
    bars,
  )
}

/** Says in words what a chart shows: the clicks in total, and those of each series. */
export function stackedChartText(chart: StackedChart): string {
  const { legend, range, total } = drawn(chart, PAGE_COLORS)
  return [
    `${range} (UTC): ${formatCount(total, 'click')} by people`,
    ...legend.map(figureText),
  ].join('. ')
}

function figureText({ name, people }: { name: string; people: number }): string {
  return `${name}: ${formatNumber(people)}`
}

/** What a bar is, by the longest range: on a phone, more than some 60 bars would be too thin. */
const UNITS = [
  { days: 62, unit: 'day', keyOf: dateOf },
  { days: 183, unit: 'week', keyOf: (day: number) => String(Math.floor((day - MONDAY) / 7)) },
  { days: Infinity, unit: 'month', keyOf: (day: number) => dateOf(day).slice(0, 7) },
] as const

const DAY_MS = 86_400_000

/** A Monday, in days since 1970. */
const MONDAY = 4

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** The bars of a chart, and its legend, in which series without clicks are absent. */
function drawn({ from, series, ...chart }: StackedChart, colors: ChartColors) {
  const first = Date.parse(from) / DAY_MS
  const days = series[0]?.people.map((_, at) => first + at) ?? []
  const { unit, keyOf } = UNITS.find((unit) => days.length <= unit.days) ?? UNITS[2]
  const sum = (counts: readonly number[]) => counts.reduce((all, people) => all + people, 0)
  const rows = series.map(({ name, people }, at) => ({
    name: shortened(name, 50, 50),
    people,
    fill: (name === OTHER ? undefined : colors.series[at]) ?? colors.other,
  }))
  const bars = [...Map.groupBy(days, keyOf).values()].map(([start = 0, ...later]): Bar => {
    const end = later.at(-1) ?? start
    const parts = rows.map(({ name, people, fill }) => ({
      name,
      people: sum(people.slice(start - first, end - first + 1)),
      fill,
    }))
    const figures = parts.filter(({ people }) => people > 0).map(figureText)
    return {
      date: dateOf(start),
      text: [rangeText(dateOf(start), dateOf(end)), ...figures].join('. '),
      parts,
    }
  })
  const legend = rows
    .map((row) => ({ ...row, people: sum(row.people) }))
    .filter(({ people }) => people > 0)
  return {
    bars,
    legend,
    unit,
    range: rangeText(from, dateOf(days.at(-1) ?? first)),
    total: chart.total ?? sum(legend.map(({ people }) => people)),
  }
}
