import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { formatNumber } from '../web/numbers.ts'
import { MARGIN, PAGE_COLORS, PICTURE_COLORS, plot, type Bar } from './plot.ts'

/* What is around the bars of a chart. */

/** In pixels. */
const PAGE_PLOT_HEIGHT = 200

/** As wide as phones show a picture in Slack, so that its texts have the size that they have here. */
const PICTURE = {
  width: 360,
  height: 240,
  padding: 14,
  plotTop: 94,
  labels: { size: 16, dates: 4 },
  legend: { size: 15, row: 20, digit: 9.5 },
}

/**
 * A chart within a page, as wide as the page allows. The page's style leaves space for the numbers at its start
 * (class `chart`).
 *
 * @param text says its figures
 */
export function pageChart(title: string, text: string, bars: readonly Bar[]): VNode {
  return html`<svg
    class="chart"
    width="100%"
    height=${MARGIN.top + PAGE_PLOT_HEIGHT + MARGIN.bottom}
    role="img"
    aria-labelledby="chart-title chart-text"
  >
    <title id="chart-title">${title}</title>
    <desc id="chart-text">${text}</desc>
    <svg y=${MARGIN.top} width="100%" height=${PAGE_PLOT_HEIGHT} overflow="visible">
      ${plot(bars, PAGE_PLOT_HEIGHT, PAGE_COLORS)}
    </svg>
  </svg>`
}

/** The texts above the bars of a picture. */
interface PictureHead {
  title: string
  /** Two. */
  lines: readonly string[]
  legend: readonly (Bar['parts'][number] & { name: string })[]
}

/** A chart as an SVG file, to be drawn as a picture (chart-pictures.ts). */
export function pictureChart({ title, lines, legend }: PictureHead, bars: readonly Bar[]) {
  const { width, padding, labels } = PICTURE
  const { ink, quiet, paper } = PICTURE_COLORS
  const { size, row, digit } = PICTURE.legend
  const plotTop = PICTURE.plotTop + legend.length * row
  const height = PICTURE.height + legend.length * row
  const start = padding + MARGIN.start
  const plotHeight = height - plotTop - MARGIN.bottom - padding / 2
  const figures = legend.map(({ people }) => formatNumber(people))
  const nameStart = padding + 22 + Math.max(0, ...figures.map((text) => text.length)) * digit
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
        ${shortened(drawable(title) || 'Clicks')}
      </text>
      ${lines.map(
        (line, at) =>
          html`<text x=${padding} y=${47 + 20 * at} font-size=${labels.size} fill=${quiet}>
            ${line}
          </text>`,
      )}
      ${legend.map(({ name, fill }, at) => {
        const y = PICTURE.plotTop + at * row
        return html`<g font-size=${size} fill=${ink}>
          <rect x=${padding} y=${y - 11} width="12" height="12" rx="2" fill=${fill} />
          <text x=${nameStart - 6} y=${y} text-anchor="end" font-weight="600">${figures[at]}</text>
          <text x=${nameStart} y=${y}>${shortened(drawable(name) || `No. ${at + 1}`)}</text>
        </g>`
      })}
      <svg
        x=${start}
        y=${plotTop}
        width=${width - start - padding}
        height=${plotHeight}
        overflow="visible"
      >
        ${plot(bars, plotHeight, PICTURE_COLORS, labels)}
      </svg>
    </svg>`,
  )
}

/** Leaves out what our font doesn't have: it has Latin, Greek and Cyrillic letters only, and no emoji. */
function drawable(text: string): string {
  return text
    .replace(/[^\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Common}\p{scx=Inherited}]/gu, '')
    .replace(/\p{C}|\p{Extended_Pictographic}(?<!\p{ASCII})/gu, '')
    .trim()
}

/** Leaves out the middle of a text if it is long, because the end tells short URLs apart. */
export function shortened(text: string, start = 14, end = 15): string {
  const characters = Array.from(text)
  if (characters.length <= start + end + 1) return text
  return [...characters.slice(0, start), '…', ...characters.slice(-end)].join('')
}
