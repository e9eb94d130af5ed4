import { clickFigures, keptText, longDate } from '../../chart/click-figures.ts'
import { html } from '../../web/layout.ts'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import type { LinkClicks } from '../../contract/extension-calls.ts'
import { table } from './page.ts'

export const SHOWN_DAYS = 90

export async function clicksSection(report: LinkClicks) {
  // Imported only here, because it loads d3, which nothing else needs.
  const { stackedChart } = await import('../../chart/stacked-chart.ts')
  const { days, total_people: people, total_bots: bots, kept_since: firstStoredDay } = report
  const { today, last7Days, last30Days, total } = clickFigures(report)
  return html`<section>
    <h2>Clicks</h2>
    ${
      total + bots === 0
        ? html`<p>No clicks yet.</p>`
        : [
            figureList([
              ['Today', today],
              ['7 days', last7Days],
              ['30 days', last30Days],
              ['All time', total],
            ]),
            html`<p>
              ${`In the last ${SHOWN_DAYS} days: ${formatCount(people, 'click')} by people, and ${formatNumber(bots)} by bots, such as crawlers. Days are in UTC.`}
              ${firstStoredDay !== undefined && ` ${keptText(firstStoredDay)}.`}
            </p>`,
            stackedChart({
              title: 'Clicks by people',
              from: report.from,
              series: [{ name: '', people: days.map((day) => day.people) }],
            }),
            html`<details>
              <summary>Show the figures</summary>
              ${dayTable(report)}
            </details>`,
            referrersPart(report),
          ]
    }
  </section>`
}

export function figureList(figures: readonly [name: string, value: number][]) {
  return html`<dl class="figures">
    ${figures.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${formatNumber(value)}</dd>
        </div>`,
    )}
  </dl>`
}

function dayTable({ days }: LinkClicks) {
  const shown = days.filter(({ people, bots }) => people + bots > 0).toReversed()
  const rows = shown.map((day) => [
    longDate(day.date),
    formatNumber(day.people),
    formatNumber(day.bots),
  ])
  return [
    table('Clicks by day', ['Day', 'Clicks', 'Bots'], rows),
    html`<p><small>Days without clicks are left out.</small></p>`,
  ]
}

function referrersPart({ referrers, total_people: people }: LinkClicks) {
  if (referrers.length === 0) return undefined
  const counts = referrers.map((referrer) => referrer.people)
  const most = Math.max(...counts)
  const others = counts.reduce((rest, count) => rest - count, people)
  const rows = referrers.map((referrer) => [referrer.host, bar(referrer.people, most)])
  return [
    html`<h3>Where people came from</h3>`,
    table('Where people came from', ['Site', 'Clicks'], rows),
    others > 0 &&
      html`<p>
        <small
          >${`${formatCount(others, 'other click')}: from more sites, or the browser did not say from where.`}</small
        >
      </p>`,
  ]
}

function bar(people: number, most: number) {
  return html`<span class="bar-cell">
    <span class="number">${formatNumber(people)}</span>
    <progress max=${most} value=${people} aria-hidden="true"></progress>
  </span>`
}
