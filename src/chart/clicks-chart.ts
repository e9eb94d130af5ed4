import type { VNode } from 'preact'
import { clickFigures, dayText, figuresText, rangeText, type DayClicks } from './click-figures.ts'
import { PAGE_COLORS, pageChart } from './plot.ts'

/**
 * The clicks on a link as a chart within a page.
 *
 * @param days every day up to today, oldest first, at least one
 * @param total the clicks of people on all days; undefined if that is unknown
 */
export function clicksChart({
  days,
  total,
}: {
  days: readonly DayClicks[]
  total: number | undefined
}): VNode {
  const range = rangeText(days[0]?.date ?? '', days.at(-1)?.date ?? '')
  const [fill = ''] = PAGE_COLORS.series
  const bars = days.map((day) => ({
    date: day.date,
    text: dayText(day),
    parts: [{ people: day.people, fill }],
  }))
  return pageChart(`Clicks by people, ${range}`, figuresText(clickFigures(days, total)), bars)
}
