import type { ComponentChildren } from 'preact'
import { UTM_PARAMETERS } from '../../contract/create-request.ts'
import { html, type HtmlPage } from '../../web/layout.ts'
import { readableUrl } from '../../web/readable-url.ts'
import type { Addresses } from '../store/addresses.ts'
import type { ClickReport } from '../store/click-report.ts'
import type { LinkRow } from '../store/links.ts'
import { clicksSection } from './clicks-section.ts'
import { qrDownloads, qrPath } from './links-page.ts'
import { dashboardPage, day } from './page.ts'

/** One link, with everything that is known about it. */
export function linkPage({
  csrf,
  addresses,
  link,
  owner,
  report,
}: {
  csrf: string
  addresses: Addresses
  link: LinkRow
  owner: string
  report: ClickReport
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
    content: [
      html`<div class="split">
        <div>
          <p class="lead"><a href=${shortUrl}>${shortUrl}</a></p>
          <dl>
            ${facts.map(([name, value]) => [html`<dt>${name}</dt>`, html`<dd>${value}</dd>`])}
          </dl>
        </div>
        <figure>
          <img
            src=${qrPath(link, 'svg')}
            alt=${`QR code of ${shortUrl}`}
            width="240"
            height="240"
          />
          <figcaption>Download: ${qrDownloads(link, shortUrl)}</figcaption>
        </figure>
      </div>`,
      clicksSection(report),
    ],
  })
}

function ifEnabled(text: string, enabled: number): string {
  return enabled === 1 ? text : `${text} (not enabled)`
}
