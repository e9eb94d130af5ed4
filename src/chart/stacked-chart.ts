import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { groupLabel, type Report } from '../contract/report.ts'
import { addDays } from '../timing/days.ts'
import { formatCount, formatNumber } from '../web/numbers.ts'
import { rangeText } from './click-figures.ts'
import { MARGIN_PX, PAGE_COLORS, PICTURE_COLORS, plot } from './plot.ts'
import type { Bar, ChartColors } from './plot.ts'

export interface StackedChart {
  title: string
  from: string
  /** At most five, and OTHER for the rest. `people` is by day, oldest first. A single series can have no name. */
  series: readonly { name: string; people: readonly number[] }[]
  /** The clicks on all links. Set for tags, because a click on a link with two tags is in the series of both. */
  total?: number | undefined
}

const OTHER = 'Other'

/** From here on, a bar is a week, because bars of days would be too thin on a phone. */
const LONG_RANGE_DAYS = 93

const PAGE_PLOT_PX = 200

/** The layout of a picture for Slack. It has the width that phones show, so that its texts keep these sizes. */
const PICTURE = {
  width: 360,
  padding: 14,
  plotTop: 99,
  plotHeight: 108,
  labels: { size: 16, dates: 4, lastDateShare: 0.28 },
}

const LEGEND_ROW_PX = 20
const LEGEND_DIGIT_PX = 9.5

export function reportChart(title: string, report: Report): StackedChart {
  const { from, group_by, days, groups } = report
  const named = groups.slice(0, PICTURE_COLORS.series.length)
  const series = named.map((group) => ({
    name: groupLabel(group, group_by).replace(/^https?:\/\//, ''),
    people: group.days,
  }))
  // A click on a link with several tags counts toward each of them.
  const isTags = group_by === 'tag'
  const other = days.map(({ people }, index) => {
    const groupsToAdd = isTags ? groups.slice(named.length) : named
    const counted = sum(groupsToAdd.map((group) => group.days[index] ?? 0))
    return isTags ? counted : Math.max(0, people - counted)
  })
  if (named.length === 0 || sum(other) > 0) series.push({ name: OTHER, people: other })
  return { title, from, series, total: isTags ? report.total_people : undefined }
}

export const barUnit = (days: number): string => (days < LONG_RANGE_DAYS ? 'day' : 'week')

export const pageColor = (index: number): string => PAGE_COLORS.series[index] ?? PAGE_COLORS.other

export function stackedChart(chart: StackedChart): VNode {
  return html`<svg
    class="chart"
    width="100%"
    height=${MARGIN_PX.top + PAGE_PLOT_PX + MARGIN_PX.bottom}
    role="img"
    aria-labelledby="chart-title chart-text"
  >
    <title id="chart-title">${chart.title}</title>
    <desc id="chart-text">${stackedChartText(chart)}</desc>
    <svg y=${MARGIN_PX.top} width="100%" height=${PAGE_PLOT_PX} overflow="visible">
      ${plot(toBars(chart, PAGE_COLORS), PAGE_PLOT_PX, PAGE_COLORS)}
    </svg>
  </svg>`
}

export function stackedChartFile(chart: StackedChart): string {
  const { width, padding, labels } = PICTURE
  const { ink, quiet, paper } = PICTURE_COLORS
  const legend = legendParts(chart, PICTURE_COLORS)
  const figures = legend.map(({ people }) => formatNumber(people))
  const nameStart =
    padding + 28 + Math.max(0, ...figures.map((text) => text.length)) * LEGEND_DIGIT_PX
  const total = `${formatCount(totalClicks(chart), 'click')}, one bar per ${barUnit(countDays(chart))}`
  const plotTop = PICTURE.plotTop + legend.length * LEGEND_ROW_PX
  const height = plotTop + PICTURE.plotHeight + MARGIN_PX.bottom + padding / 2
  return renderToString(
    html`<svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox=${`0 0 ${width} ${height}`}
      width=${width}
      height=${height}
      font-family="Inter"
      font-size=${labels.size}
    >
      <rect width=${width} height=${height} fill=${paper} />
      <text x=${padding} y="26" font-size="17" font-weight="600" fill=${ink}>
        ${shortened(drawable(chart.title) || 'Clicks')}
      </text>
      <text x=${padding} y="47" fill=${quiet}>${total}</text>
      <text x=${padding} y="67" fill=${quiet}>${daysText(chart)}</text>
      ${legend.map(({ name, fill }, index) => {
        const y = PICTURE.plotTop - 5 + index * LEGEND_ROW_PX
        return html`<g font-size="15" fill=${ink}>
          <rect x=${padding} y=${y - 11} width="12" height="12" rx="2" fill=${fill} />
          <text x=${nameStart - 6} y=${y} text-anchor="end" font-weight="600"
            >${figures[index]}</text
          >
          <text x=${nameStart} y=${y}>${shortened(drawable(name) || `No. ${index + 1}`)}</text>
        </g>`
      })}
      <svg
        x=${padding + MARGIN_PX.start}
        y=${plotTop}
        width=${width - 2 * padding - MARGIN_PX.start}
        height=${PICTURE.plotHeight}
        overflow="visible"
      >
        ${plot(toBars(chart, PICTURE_COLORS), PICTURE.plotHeight, PICTURE_COLORS, labels)}
      </svg>
    </svg>`,
  )
}

export function stackedChartText(chart: StackedChart): string {
  const figures = legendParts(chart, PAGE_COLORS).map(
    ({ name, people }) => `. ${name}: ${formatNumber(people)}`,
  )
  return `${daysText(chart)}: ${formatCount(totalClicks(chart), 'click')} by people${figures.join('')}`
}

function listParts({ series }: StackedChart, colors: ChartColors) {
  return series.map(({ name, people }, index) => ({
    name: shortened(name, 50, 50),
    people: sum(people),
    fill: (name === OTHER ? undefined : colors.series[index]) ?? colors.other,
  }))
}

function legendParts(chart: StackedChart, colors: ChartColors) {
  return listParts(chart, colors).filter(({ name, people }) => name !== '' && people > 0)
}

function toBars(chart: StackedChart, colors: ChartColors): Bar[] {
  const days = countDays(chart)
  const step = barUnit(days) === 'day' ? 1 : 7
  const length = Math.ceil(days / step)
  return Array.from({ length }, (_, index) => {
    const end = days - (length - 1 - index) * step
    const start = Math.max(0, end - step)
    const series = chart.series.map(({ name, people }) => ({
      name,
      people: people.slice(start, end),
    }))
    const part = { ...chart, from: addDays(chart.from, start), series, total: undefined }
    return {
      from: part.from,
      to: addDays(chart.from, end - 1),
      text: stackedChartText(part),
      parts: listParts(part, colors),
    }
  })
}

const countDays = ({ series }: StackedChart): number => series[0]?.people.length ?? 0

const daysText = (chart: StackedChart): string =>
  `${rangeText(chart.from, addDays(chart.from, countDays(chart) - 1))} (UTC)`

const totalClicks = ({ series, total }: StackedChart): number =>
  total ?? sum(series.map(({ people }) => sum(people)))

const sum = (counts: readonly number[]): number => counts.reduce((all, people) => all + people, 0)

/** Leaves out what our font can't draw: it has only Latin, Greek and Cyrillic letters, and no emoji. */
function drawable(text: string): string {
  return text
    .replace(/[^\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Common}\p{scx=Inherited}]/gu, '')
    .replace(/\p{C}|\p{Extended_Pictographic}(?<!\p{ASCII})/gu, '')
    .trim()
}

/** Leaves out the middle of a long text, because the end distinguishes short URLs. */
function shortened(text: string, start = 14, end = 15): string {
  const characters = Array.from(text)
  if (characters.length <= start + end + 1) return text
  return [...characters.slice(0, start), '…', ...characters.slice(-end)].join('')
}
