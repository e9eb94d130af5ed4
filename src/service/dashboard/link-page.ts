import type { ComponentChildren } from 'preact'
import type { ClicksTable } from '../../database/schema.ts'
import { UTM_PARAMETERS } from '../../contract/create-request.ts'
import type { Addresses } from '../addresses.ts'
import { html } from '../pages/html.ts'
import type { LinkRow } from '../store/links.ts'
import { dashboardPage, day, table } from './layout.ts'
import { qrPath } from './links-page.ts'

/** Days that a link's page shows. */
export const SHOWN_DAYS = 30

/** One link with everything that is known of it. */
export function linkPage({
  csrf,
  addresses,
  link,
  owner,
  clicks,
}: {
  csrf: string
  addresses: Addresses
  link: LinkRow
  owner: string
  clicks: readonly ClicksTable[]
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
      `${link[name] ?? ''}${link.utm_analytics_enabled === 1 ? '' : ' (not in effect)'}`,
    ]),
    ...(link.preview_title === null ? [] : [['Preview', link.preview_title] as [string, string]]),
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
          clicks.length > 0 &&
          table(
            'Clicks by day',
            ['Day', 'People', 'Programs'],
            clicks.map((one) => [one.day, bar(one, clicks), one.bots.toLocaleString('en')]),
          )
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
          <figcaption>
            <a href=${qrPath(link, 'png')} download=${`${link.back_half}.png`}>PNG</a>${' '}
            <a href=${qrPath(link, 'svg')} download=${`${link.back_half}.svg`}>SVG</a>
          </figcaption>
        </figure>`
      }
    </div>`,
  })
}

/** A number with a bar as long as its share of the most. */
function bar({ people }: ClicksTable, clicks: readonly ClicksTable[]): ComponentChildren {
  const most = Math.max(1, ...clicks.map((one) => one.people))
  return html`<span class="bar-cell">
    <span class="number">${people.toLocaleString('en')}</span>
    <progress max=${most} value=${people} aria-hidden="true"></progress>
  </span>`
}
