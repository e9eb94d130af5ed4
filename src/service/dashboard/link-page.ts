import type { ComponentChildren } from 'preact'
import type { ClicksTable } from '../../database/schema.ts'
import { UTM_PARAMETERS } from '../../contract/create-request.ts'
import type { Addresses } from '../addresses.ts'
import { grouped } from '../grouped.ts'
import { html } from '../pages/html.ts'
import type { LinkRow } from '../store/links.ts'
import { dashboardPage, day, table } from './layout.ts'
import { qrDownloads, qrPath } from './links-page.ts'

/** Days with clicks that a link's page shows. */
export const SHOWN_DAYS = 30

/** One link with everything that is known of it. */
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
  /** How often people followed it, on all days. */
  people: number
}): string {
  const shortUrl = addresses.shortUrl(link)
  const utm = UTM_PARAMETERS.filter((name) => link[name] !== null)
  const facts: [name: string, value: ComponentChildren][] = [
    [
      'Leads to',
      html`<a href=${link.destination_url} rel="noreferrer">${link.destination_url}</a>`,
    ],
    ['Owner', owner],
    ['Made', day(link.created_at)],
    ...utm.map((name): [string, string] => [
      name,
      inEffect(link[name] ?? '', link.utm_analytics_enabled),
    ]),
    ...(
      [
        ['Preview title', link.preview_title],
        ['Preview text', link.preview_description],
      ] as const
    ).flatMap(([name, text]): [string, string][] =>
      text === null ? [] : [[name, inEffect(text, link.is_custom_preview)]],
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
        ${clicks.length === 0 && html`<p>Nobody has followed this link yet.</p>`}
        ${
          clicks.length > 0 && [
            html`<p>${clicksWords(people, clicks.length)}</p>`,
            table(
              'Clicks by day',
              ['Day', 'People', 'Programs'],
              clicks.map((one) => [one.day, bar(one, clicks), grouped(one.bots)]),
            ),
          ]
        }
      </div>
      ${
        link.qr_code_enabled === 1 &&
        html`<figure>
          <img
            src=${qrPath(link, 'svg')}
            alt=${`QR code of ${shortUrl}`}
            width="240"
            height="240"
          />
          <figcaption>Download: ${qrDownloads(link, shortUrl)}</figcaption>
        </figure>`
      }
    </div>`,
  })
}

function clicksWords(people: number, days: number): string {
  const times = people === 1 ? 'once' : `${grouped(people)} times`
  const shown = days < SHOWN_DAYS ? '' : ` Below are the last ${SHOWN_DAYS} days with any.`
  return `People followed this link ${times}. Programs, such as crawlers, are counted apart.${shown}`
}

function inEffect(text: string, enabled: number): string {
  return enabled === 1 ? text : `${text} (not in effect)`
}

/** A number with a bar as long as its share of the most. */
function bar({ people }: ClicksTable, clicks: readonly ClicksTable[]): ComponentChildren {
  const most = Math.max(1, ...clicks.map((one) => one.people))
  return html`<span class="bar-cell">
    <span class="number">${grouped(people)}</span>
    <progress max=${most} value=${people} aria-hidden="true"></progress>
  </span>`
}
