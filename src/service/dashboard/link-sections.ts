import { clickFigures, keptText, longDate } from '../../chart/click-figures.ts'
import type { LinkClicks } from '../../contract/extension-calls.ts'
import { isLinkField, FIELD_SPECS } from '../../contract/link-fields.ts'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import { html } from '../../web/pages.ts'
import { readableUrl } from '../../web/readable-url.ts'
import * as history from '../store/link-history.ts'
import { DASHBOARD, type LinkRow, type NamedCreator } from '../store/links.ts'
import { moment, momentText, pager, table } from './page.ts'

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

export function historySection(
  changes: readonly history.LinkChange[],
  created: NamedCreator & Pick<LinkRow, 'created_at'>,
) {
  const isCut = changes.length === history.CHANGES_AT_ONCE
  const rows = changes.map((change) => [
    moment(change.at),
    describe(change.changes),
    creatorText(change),
  ])
  if (!isCut) rows.push([moment(created.created_at), 'Created', creatorText(created)])
  return html`<section>
    <h2>History</h2>
    ${table('Changes', ['When', 'What', 'By'], rows)}
    ${isCut && html`<p><small>Only the last ${history.CHANGES_AT_ONCE} changes are shown.</small></p>`}
  </section>`
}

/** Renders “Ana with Slack app”, for example. The key is named, because its holder said who made the change. */
function creatorText(creator: NamedCreator) {
  const { made_by: createdBy, key_name: keyName, person_id: id, person_name: name } = creator
  if (createdBy === null) return ''
  const key = createdBy === DASHBOARD.made_by ? 'Dashboard' : (keyName ?? 'A removed key')
  return id === null ? key : html`<bdi>${name || id}</bdi> <small>with ${key}</small>`
}

export function destinationsSection(
  linkId: string,
  ended: readonly history.EndedDestination[],
  page: number,
) {
  if (ended.length === 0) return null
  const rows = ended
    .slice(0, history.DESTINATIONS_AT_ONCE)
    .map((destination) => [
      moment(destination.ended_at),
      html`<span class="long">${readableUrl(destination.destination_url)}</span>`,
      creatorText(destination),
    ])
  return html`<section>
    <h2>Earlier destinations</h2>
    <p><small>They are kept for ${history.KEPT_DAYS} days after the link is deleted.</small></p>
    ${table('Earlier destinations', ['Until', 'Destination', 'Changed by'], rows)}
    ${pager(`/dashboard/links/${linkId}`, page, ended.length > history.DESTINATIONS_AT_ONCE)}
  </section>`
}

function describe(fields: history.FieldChanges) {
  const entries = Object.entries(fields)
  // The values of a deleted link are removed.
  if (entries.length === 0) return 'Changed'
  return entries.map(([name, [was, is]]) => {
    const label = isLinkField(name) ? FIELD_SPECS[name].label : name
    let text = `${label}: ${shown(name, was)} → ${shown(name, is)}`
    if (name === 'deleted') text = 'Deleted'
    if (name === 'enabled') text = is === true ? 'Turned on' : 'Turned off'
    return html`<div class="change"><bdi>${text}</bdi></div>`
  })
}

function shown(name: string, value: history.FieldChanges[string][0]): string {
  if (value === null) return name === 'expires_at' ? 'never' : 'none'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (name === 'expires_at') return momentText(Date.parse(value))
  return name === 'preview_image' ? value.replace('image/', '') : `“${value}”`
}
