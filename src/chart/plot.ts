import { scaleBand, scaleLinear, scaleUtc } from 'd3-scale'
import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { dayText, shortDate, type DayClicks } from './click-figures.ts'

/** The variables of our pages (src/web/style.ts), so that a chart follows their light and dark colors. */
export const PAGE_COLORS = {
  bar: 'var(--accent)',
  ink: 'var(--ink)',
  quiet: 'var(--quiet)',
  line: 'var(--line)',
  paper: 'var(--paper)',
}

export const PICTURE_COLORS = {
  bar: '#1f4f46',
  ink: '#20241f',
  quiet: '#5d655c',
  line: '#dcdcd2',
  paper: '#fbfaf7',
}

/** Space around the plot, in pixels: for the numbers at its start, and the dates below it. */
export const MARGIN = { top: 22, start: 44, bottom: 26 }

/** The number of grid lines. d3 may draw a few more or fewer. */
const LINES = 4

/** The size of the labels, in pixels, and the most dates among them. */
const PAGE_LABELS = { size: 12, dates: 6 }

/** The widest bar, in percent of the plot: a single day must not fill the plot. */
const MAX_BAR_WIDTH = 6

/** From this number of days on, the labels are months. */
const LONG_RANGE = 120

const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
const MONTH = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })

const DAY_MS = 86_400_000

/**
 * Draws the clicks of people as bars, with their axes. Horizontal positions are percentages of the surrounding `svg`,
 * so that a chart can have any width without stretching its texts.
 *
 * @param days every day of a range, oldest first, at least one
 * @param height of the bars, in pixels
 */
export function plot(
  days: readonly DayClicks[],
  height: number,
  { bar, ink, quiet, line, paper }: Record<keyof typeof PICTURE_COLORS, string>,
  labels = PAGE_LABELS,
): ComponentChildren {
  const most = days.reduce((max, { people }) => Math.max(max, people), 0)
  const y = scaleLinear([0, Math.max(most, 1)], [height, 0]).nice(LINES)
  const x = scaleBand(
    days.map(({ date }) => date),
    [0, 100],
  ).padding(0.25)
  const width = Math.min(x.bandwidth(), MAX_BAR_WIDTH)
  const center = (date: string): number => (x(date) ?? 0) + x.bandwidth() / 2
  const peak = most === 0 ? undefined : days.find(({ people }) => people === most)

  return html`<g font-size=${labels.size}>
    ${y
      .ticks(LINES)
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
    ${dateLabels(days, labels.dates).map(
      ({ date, text }) =>
        html`<text ...${placed(center(date))} y=${height + MARGIN.bottom - 6} fill=${quiet}>
          ${text}
        </text>`,
    )}
    ${days.map((day) => {
      // At least a pixel high, so that a day with few clicks differs from one without.
      const top = Math.min(y(day.people), height - 1)
      return html`<g class="day">
        <title>${dayText(day)}</title>
        <rect
          x=${percent((x(day.date) ?? 0) - (x.step() - x.bandwidth()) / 2)}
          width=${percent(x.step())}
          height=${height}
          fill="transparent"
        />
        ${
          day.people > 0 &&
          html`<rect
            x=${percent(center(day.date) - width / 2)}
            y=${top}
            width=${percent(width)}
            height=${height - top}
            rx="1.5"
            fill=${bar}
          />`
        }
      </g>`
    })}
    ${
      peak &&
      html`<text
        ...${placed(center(peak.date))}
        y=${y(peak.people) - 6}
        fill=${ink}
        font-weight="600"
        stroke=${paper}
        stroke-width="4"
        paint-order="stroke"
      >
        ${COMPACT.format(peak.people)}
      </text>`
    }
    ${
      !peak &&
      html`<text x="50%" y=${height / 2} text-anchor="middle" fill=${quiet}
        >No clicks by people</text
      >`
    }
  </g>`
}

/** A label that stays within the plot. */
function placed(at: number): { x: string; 'text-anchor': string } {
  const anchor = at < 4 ? 'start' : at > 96 ? 'end' : 'middle'
  return { x: percent(at), 'text-anchor': anchor }
}

function percent(value: number): string {
  return `${Number(value.toFixed(3))}%`
}

/** Round dates: days, weeks, or the first of a month. @param count how many at most */
function dateLabels(days: readonly DayClicks[], count: number): { date: string; text: string }[] {
  const first = Date.parse(days[0]?.date ?? '')
  const last = Date.parse(days.at(-1)?.date ?? '')
  const isLong = days.length >= LONG_RANGE
  const ticks = scaleUtc([first, last], [0, 100])
    .ticks(count)
    .filter((tick) => tick.getTime() % DAY_MS === 0)
  const step = Math.ceil(ticks.length / count)
  return ticks
    .filter((_, at) => at % step === 0)
    .map((tick) => {
      const date = tick.toISOString().slice(0, 10)
      const isYear = isLong && date.endsWith('-01-01')
      return {
        date,
        text: isYear ? date.slice(0, 4) : isLong ? MONTH.format(tick) : shortDate(date),
      }
    })
}
