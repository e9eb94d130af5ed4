import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { formatCount } from '../web/numbers.ts'
import { clickFigures, figuresText, rangeText, type DayClicks } from './click-figures.ts'
import { MARGIN, PAGE_COLORS, PICTURE_COLORS, plot } from './plot.ts'

/** In pixels. */
const PAGE_PLOT_HEIGHT = 200

/** As wide as phones show a picture in Slack, so that its texts have the size that they have here. */
const PICTURE = {
  width: 360,
  height: 240,
  padding: 14,
  plotTop: 94,
  labels: { size: 16, dates: 4 },
}

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
  const { width, height, padding, plotTop, labels } = PICTURE
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
      <text x=${padding} y="26" font-size="17" font-weight="600" fill=${ink}>
        ${shortened(shortUrl.replace(/^https?:\/\//, ''))}
      </text>
      <text x=${padding} y="47" font-size=${labels.size} fill=${quiet}>
        ${`${formatCount(people, 'click')} by people`}
      </text>
      <text x=${padding} y="67" font-size=${labels.size} fill=${quiet}>${range(days)}</text>
      <svg
        x=${start}
        y=${plotTop}
        width=${width - start - padding}
        height=${plotHeight}
        overflow="visible"
      >
        ${plot(days, plotHeight, PICTURE_COLORS, labels)}
      </svg>
    </svg>`,
  )
}

/** How many characters of a short URL fit above the chart: of its start, and of its end, which tells links apart. */
const [START, END] = [14, 16]

function shortened(text: string): string {
  return text.length <= START + END ? text : `${text.slice(0, START)}…${text.slice(1 - END)}`
}

function range(days: readonly DayClicks[]): string {
  return rangeText(days[0]?.date ?? '', days.at(-1)?.date ?? '')
}
