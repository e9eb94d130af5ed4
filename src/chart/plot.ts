import { scaleLinear, scaleUtc } from 'd3-scale'
import { html } from 'htm/preact'
import { DAY_MS, dayOf } from '../timing/days.ts'
import { shortDate, shortMonth } from './click-figures.ts'

/** The text is shown when the pointer is on the bar. The parts start at the bottom. */
export interface Bar {
  from: string
  to: string
  text: string
  parts: readonly { people: number; fill: string }[]
}

export const PAGE_COLORS = {
  series: [1, 2, 3, 4, 5].map((place) => `var(--series-${place})`),
  other: 'var(--edge)',
  ink: 'var(--ink)',
  quiet: 'var(--quiet)',
  line: 'var(--line)',
  paper: 'var(--paper)',
}

/** Each color has a contrast of 3 to 1 with the background. They differ in lightness too, for color-blind readers. */
export const PICTURE_COLORS = {
  series: ['#1f4f46', '#db6702', '#366ad4', '#400152', '#b0268c'],
  other: '#87907f',
  ink: '#20241f',
  quiet: '#5d655c',
  line: '#dcdcd2',
  paper: '#fbfaf7',
}

export type ChartColors = typeof PICTURE_COLORS

export const MARGIN_PX = { top: 22, start: 44, bottom: 26 }

const GRID_LINES = 4

/** `lastDateShare` is the share of a phone's width that the date of the last bar needs. It has no other dates. */
const PAGE_LABELS = { size: 12, dates: 5, lastDateShare: 0.2 }

type Labels = typeof PAGE_LABELS

/** Without this limit, the bar of a single day would fill the plot. */
const MAX_BAR_PERCENT = 6

const GAP_PX = 1
const LONG_RANGE_DAYS = 120

const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** Draws a part of an SVG. Horizontal positions are percentages, so a wide chart doesn’t stretch its texts. */
export function plot(
  bars: readonly Bar[],
  height: number,
  colors: ChartColors,
  labels = PAGE_LABELS,
) {
  const { ink, quiet, line, paper } = colors
  const totals = bars.map(({ parts }) => parts.reduce((sum, { people }) => sum + people, 0))
  const most = totals.reduce((max, people) => Math.max(max, people), 0)
  const y = scaleLinear([0, Math.max(most, 1)], [height, 0]).nice(GRID_LINES)
  const step = 100 / bars.length
  const width = Math.min(0.75 * step, MAX_BAR_PERCENT)
  const center = (index: number): number => (index + 0.5) * step

  return html`<g font-size=${labels.size}>
    ${y
      .ticks(GRID_LINES)
      .filter(Number.isInteger)
      .map(
        (value) =>
          html`<g>
            <line x1="0" x2="100%" y1=${y(value)} y2=${y(value)} stroke=${line} />
            <text x="-8" y=${y(value) + labels.size / 3} text-anchor="end" fill=${quiet}>
              ${COMPACT.format(value)}
            </text>
          </g>`,
      )}
    ${dateLabels(bars, labels).map(
      ({ index, text }) =>
        html`<text
          ...${textPosition(center(index))}
          y=${height + MARGIN_PX.bottom - 6}
          fill=${quiet}
        >
          ${text}
        </text>`,
    )}
    ${bars.map((bar, index) => {
      let top = height
      return html`<g class="column">
        <title>${bar.text}</title>
        <rect
          x=${percent(index * step)}
          width=${percent(step)}
          height=${height}
          fill="transparent"
        />
        ${bar.parts
          .filter(({ people }) => people > 0)
          .map(({ people, fill }, part) => {
            // At least a pixel high, because a part without height would look like no clicks.
            const partHeight = Math.max(height - y(people), 1)
            top -= partHeight
            return html`<rect
              x=${percent(center(index) - width / 2)}
              y=${top}
              width=${percent(width)}
              height=${part > 0 && partHeight > 3 ? partHeight - GAP_PX : partHeight}
              rx=${bar.parts.length > 1 ? 0.5 : 1.5}
              fill=${fill}
            />`
          })}
      </g>`
    })}
    ${
      most > 0
        ? html`<text
            ...${textPosition(center(totals.indexOf(most)))}
            y=${y(most) - 6}
            fill=${ink}
            font-weight="600"
            stroke=${paper}
            stroke-width="6"
            paint-order="stroke"
          >
            ${COMPACT.format(most)}
          </text>`
        : html`<text x="50%" y=${height / 2} text-anchor="middle" fill=${quiet}
            >No clicks by people</text
          >`
    }
  </g>`
}

function textPosition(position: number) {
  // At an edge, the text starts or ends at its position, so that the edge doesn't cut it off.
  let anchor = 'middle'
  if (position < 4) anchor = 'start'
  if (position > 96) anchor = 'end'
  return { x: percent(position), 'text-anchor': anchor }
}

function percent(value: number): string {
  return `${Number(value.toFixed(3))}%`
}

function dateLabels(bars: readonly Bar[], labels: Labels) {
  const roundDates = roundDateLabels(bars, labels, labels.dates)
  // Months can leave more than half of the chart without a label. Weeks or days then fill this gap.
  const hasGap = (roundDates.at(-1)?.index ?? 0) < bars.length / 2
  const shown = hasGap ? roundDateLabels(bars, labels, 2 * labels.dates) : roundDates
  return [...shown, { index: bars.length - 1, text: shortDate(bars.at(-1)?.to ?? '') }]
}

function roundDateLabels(bars: readonly Bar[], labels: Labels, tickCount: number) {
  const first = Date.parse(bars[0]?.from ?? '')
  const last = Date.parse(bars.at(-1)?.from ?? '')
  const isLong = (last - first) / DAY_MS + 1 >= LONG_RANGE_DAYS
  const lastIndex = bars.length * (1 - labels.lastDateShare) - 1
  // d3 proposes about `tickCount` dates. At most `labels.dates` of them are used.
  const dates = scaleUtc([first, last], [0, 100])
    .ticks(tickCount)
    .filter((tick) => tick.getTime() % DAY_MS === 0)
    .map((tick) => dayOf(tick.getTime()))
  const step = Math.ceil(dates.length / labels.dates)
  return dates
    .filter((_, position) => position % step === 0)
    .map((date) => ({
      index: bars.findLastIndex((bar) => bar.from <= date),
      text: isLong ? monthOrYear(date) : shortDate(date),
    }))
    .filter(({ index }) => index <= lastIndex)
}

function monthOrYear(date: string): string {
  return date.endsWith('-01-01') ? date.slice(0, 4) : shortMonth(date)
}
