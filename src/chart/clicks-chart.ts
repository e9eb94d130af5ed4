import type { VNode } from 'preact'
import { formatCount } from '../web/numbers.ts'
import { clickFigures, dayText, figuresText, rangeText, type DayClicks } from './click-figures.ts'
import { pageChart, pictureChart } from './frames.ts'
import { PAGE_COLORS, PICTURE_COLORS, type Bar, type ChartColors } from './plot.ts'

interface ClicksChart {
  /** Every day up to today, oldest first, at least one. */
  days: readonly DayClicks[]
  /** The clicks of people on all days; undefined if that is unknown. */
  total: number | undefined
}

/** A chart within a page (frames.ts). */
export function clicksChart({ days, total }: ClicksChart): VNode {
  const text = figuresText(clickFigures(days, total))
  return pageChart(`Clicks by people, ${range(days)}`, text, dayBars(days, PAGE_COLORS))
}

/**
 * A chart as an SVG file, to be drawn as a picture (chart-pictures.ts).
 *
 * @param shortUrl names the link. A title could be illegible in the pictures' font; a short URL is ASCII
 */
export function chartFile({ days }: Pick<ClicksChart, 'days'>, shortUrl: string): string {
  const people = days.reduce((sum, day) => sum + day.people, 0)
  const title = shortUrl.replace(/^https?:\/\//, '')
  const lines = [`${formatCount(people, 'click')} by people`, range(days)]
  return pictureChart({ title, lines }, dayBars(days, PICTURE_COLORS))
}

function dayBars(days: readonly DayClicks[], { series: [fill = ''] }: ChartColors): Bar[] {
  return days.map((day) => ({
    date: day.date,
    text: dayText(day),
    parts: [{ people: day.people, fill }],
  }))
}

function range(days: readonly DayClicks[]): string {
  return rangeText(days[0]?.date ?? '', days.at(-1)?.date ?? '')
}
