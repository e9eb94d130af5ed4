import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { formatCount } from '../web/numbers.ts'
import { clickFigures, figuresText, longDate, shortDate, type DayClicks } from './click-figures.ts'
import { MARGIN, PAGE_COLORS, PICTURE_COLORS, plot } from './plot.ts'

/** In pixels. A picture has twice as many, for sharp screens. */
const PAGE_PLOT_HEIGHT = 200
const PICTURE = { width: 640, height: 320, padding: 24, plotTop: 84 }

interface ClicksChart {
  /** Every day up to today, oldest first, at least one. */
  days: readonly DayClicks[]
  /** The clicks of people on all days; undefined if that is unknown. */
  total: number | undefined
}

/**
 * A chart within a page, as wide as the page allows. The page's style leaves space for the numbers at its start
 * (class `chart`).
 */
export function clicksChart({ days, total }: ClicksChart): VNode {
  return html`<svg
    class="chart"
    width="100%"
    height=${MARGIN.top + PAGE_PLOT_HEIGHT + MARGIN.bottom}
    role="img"
    aria-labelledby="chart-title chart-text"
  >
    <title id="chart-title">${`Clicks by people, ${range(days)}`}</title>
    <desc id="chart-text">${figuresText(clickFigures(days, total))}</desc>
    <svg y=${MARGIN.top} width="100%" height=${PAGE_PLOT_HEIGHT} overflow="visible">
      ${plot(days, PAGE_PLOT_HEIGHT, PAGE_COLORS)}
    </svg>
  </svg>`
}

/**
 * A chart as an SVG file, to be drawn as a picture (chart-pictures.ts).
 *
 * @param shortUrl names the link. The pictures' font has Latin, Greek and Cyrillic letters only, so a title could be
 *   illegible; a short URL is ASCII
 */
export function chartFile({ days }: Pick<ClicksChart, 'days'>, shortUrl: string): string {
  const { width, height, padding, plotTop } = PICTURE
  const { ink, quiet, paper } = PICTURE_COLORS
  const start = padding + MARGIN.start
  const plotHeight = height - plotTop - MARGIN.bottom - padding / 2
  const people = days.reduce((sum, day) => sum + day.people, 0)
  return renderToString(
    html`<svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox=${`0 0 ${width} ${height}`}
      width=${width}
      height=${height}
      font-family="Inter"
    >
      <rect width=${width} height=${height} fill=${paper} />
      <text x=${padding} y="36" font-size="18" font-weight="600" fill=${ink}>
        ${shortened(shortUrl.replace(/^https?:\/\//, ''))}
      </text>
      <text x=${padding} y="58" font-size="14" fill=${quiet}>
        ${`${formatCount(people, 'click')} by people, ${range(days)}`}
      </text>
      <svg
        x=${start}
        y=${plotTop}
        width=${width - start - padding}
        height=${plotHeight}
        overflow="visible"
      >
        ${plot(days, plotHeight, PICTURE_COLORS)}
      </svg>
    </svg>`,
  )
}

/** How many characters fit above the chart. */
const MAX_HEADING_LENGTH = 52

function shortened(text: string): string {
  return text.length <= MAX_HEADING_LENGTH ? text : `${text.slice(0, MAX_HEADING_LENGTH - 1)}…`
}

function range(days: readonly DayClicks[]): string {
  const from = days[0]?.date ?? ''
  const to = days.at(-1)?.date ?? ''
  if (from === to) return longDate(to)
  const isOneYear = from.slice(0, 4) === to.slice(0, 4)
  return `${isOneYear ? shortDate(from) : longDate(from)} to ${longDate(to)}`
}
