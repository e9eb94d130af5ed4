import type { ComponentChildren } from 'preact'
import { UTM_PARAMETERS } from '../../contract/create-request.ts'
import type { ClicksTable } from '../../database/schema.ts'
import { html, type HtmlPage } from '../../web/layout.ts'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import { readableUrl } from '../../web/readable-url.ts'
import type { Addresses } from '../store/addresses.ts'
import type { LinkRow } from '../store/links.ts'
import { qrDownloads, qrPath } from './links-page.ts'
import { dashboardPage, day, table } from './page.ts'

/** How many days with clicks the page of a link shows. */
export const SHOWN_DAYS = 30

/** One link, with everything that is known about it. */
export function linkPage({
  csrf,
  addresses,
  link,
  owner,
  clicks,
  people,
}: {
  csrf: string
  addresses: Addresses
  link: LinkRow
  owner: string
  clicks: readonly ClicksTable[]
  /** The clicks of people on all days. */
  people: number
}): HtmlPage {
  const shortUrl = addresses.shortUrl(link)
  const utm = UTM_PARAMETERS.filter((name) => link[name] !== null)
  const facts: [name: string, value: ComponentChildren][] = [
    [
      'Destination',
      html`<a href=${link.destination_url} rel="noreferrer"
        >${readableUrl(link.destination_url)}</a
      >`,
    ],
    ['Owner', owner],
    ['Created', day(link.created_at)],
    ...utm.map((name): [string, string] => [
      name,
      ifEnabled(link[name] ?? '', link.utm_analytics_enabled),
    ]),
    ...(
      [
        ['Preview title', link.preview_title],
        ['Preview text', link.preview_description],
      ] as const
    ).flatMap(([name, text]): [string, string][] =>
      text === null ? [] : [[name, ifEnabled(text, link.is_custom_preview)]],
    ),
  ]
  return dashboardPage({
    section: '/dashboard',
    title: link.title ?? shortUrl.replace(/^https?:\/\//, ''),
    csrf,
    content: html`<div class="split">
      <div>
        <p class="lead"><a href=${shortUrl}>${shortUrl}</a></p>
        <dl>${facts.map(([name, value]) => [html`<dt>${name}</dt>`, html`<dd>${value}</dd>`])}</dl>
        <h2>Clicks</h2>
        ${clicks.length === 0 && html`<p>No clicks yet.</p>`}
        ${
          clicks.length > 0 && [
            html`<p>${summary(people, clicks.length)}</p>`,
            table(
              'Clicks by day',
              ['Day', 'People', 'Bots'],
              clicks.map((one) => [one.day, bar(one, clicks), formatNumber(one.bots)]),
            ),
          ]
        }
      </div>
      <figure>
        <img src=${qrPath(link, 'svg')} alt=${`QR code of ${shortUrl}`} width="240" height="240" />
        <figcaption>Download: ${qrDownloads(link, shortUrl)}</figcaption>
      </figure>
    </div>`,
  })
}

function summary(people: number, days: number): string {
  const shown = days < SHOWN_DAYS ? '' : ` These are the last ${SHOWN_DAYS} days with clicks.`
  return `${formatCount(people, 'click')} by people. Bots, such as crawlers, are counted separately.${shown}`
}

function ifEnabled(text: string, enabled: number): string {
  return enabled === 1 ? text : `${text} (not enabled)`
}

/** A number, with a bar that compares it with the largest. */
function bar({ people }: ClicksTable, clicks: readonly ClicksTable[]): ComponentChildren {
  const most = Math.max(1, ...clicks.map((one) => one.people))
  return html`<span class="bar-cell">
    <span class="number">${formatNumber(people)}</span>
    <progress max=${most} value=${people} aria-hidden="true"></progress>
  </span>`
}
