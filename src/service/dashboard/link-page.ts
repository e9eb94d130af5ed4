import type { ComponentChildren } from 'preact'
import type { stackedChart } from '../../chart/stacked-chart.ts'
import { fieldsOfKind, GROUP_FLAGS, specOf, type LinkField } from '../../contract/link-fields.ts'
import { html } from '../../web/layout.ts'
import { readableUrl } from '../../web/readable-url.ts'
import type { Addresses } from '../store/addresses.ts'
import type { LinkClicks } from '../../contract/extension-calls.ts'
import { type LinkRow, linkState, type LinkState } from '../store/links.ts'
import type { EndedDestination } from '../store/link-destinations.ts'
import type { LinkChange } from '../store/link-history.ts'
import type { NamedMaker } from '../store/makers.ts'
import { clicksSection } from './clicks-section.ts'
import { copyButton } from './copy.ts'
import { postButton } from './form.ts'
import { destinationsSection, historySection } from './history-section.ts'
import { qrDownloads, qrPath, tagLinks, withoutScheme } from './links-page.ts'
import { type LinkNotice, linkNotice } from './notice.ts'
import { factList, moment, type DashboardPage } from './page.ts'

export interface ShownLink {
  link: LinkRow
  owner: string
  /** Short URLs that it had earlier. */
  earlier: readonly string[]
  changes: readonly LinkChange[]
  creator: NamedMaker
  ended: readonly EndedDestination[]
  /** Of the destinations. */
  page: number
  mayUpdate: boolean
  mayDelete: boolean
}

/** The title is in the heading. */
const SHOWN_TEXTS = fieldsOfKind('text', 'lines').filter((name) => name !== 'title')

/** One link, with everything that is known about it. */
export function linkPage(
  addresses: Addresses,
  shown: ShownLink,
  {
    report,
    drawChart,
    notice,
    now,
  }: {
    report: LinkClicks
    drawChart: typeof stackedChart
    /** What the viewer has just done. */
    notice: LinkNotice | undefined
    now: number
  },
): DashboardPage {
  const { link, owner, earlier } = shown
  const shortUrl = addresses.shortUrl(link)
  const shownUrl = withoutScheme(shortUrl)
  const state = linkState(link, now)
  const facts: [name: string, value: ComponentChildren][] = [
    [
      'Destination',
      html`<a href=${link.destination_url} rel="noreferrer"
        >${readableUrl(link.destination_url)}</a
      >`,
    ],
    ['Expires', link.expires_at === null ? 'Never' : moment(link.expires_at)],
    ['Owner', owner],
    ['Created', moment(link.created_at)],
    ...earlierFact(earlier),
    ['Tags', tagLinks(link) ?? 'None'],
    ...SHOWN_TEXTS.flatMap((name): [string, string][] => {
      const text = link[name]
      return text === null ? [] : [[specOf(name).label, ifEnabled(text, link, name)]]
    }),
    ...imageFact(link),
  ]
  return {
    title: link.title ?? shownUrl,
    copies: true,
    content: [
      notice && linkNotice(notice, { shortUrl, shownUrl, active: state === 'active' }),
      html`<div class="split">
        <div>
          <p class="lead">
            <a href=${shortUrl}>${shownUrl}</a>${' '}
            <span class=${`state ${state}`}>${STATES[state]}</span>${' '}
            ${copyButton(shortUrl, `Copy: ${shownUrl}`)}
          </p>
          ${actions(shown, state, shortUrl)} ${factList(facts)}
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
      clicksSection(report, drawChart),
      ...historySections(shown),
    ],
  }
}

const STATES: Record<LinkState, string> = {
  active: 'Active',
  off: 'Turned off',
  expired: 'Expired',
}

function actions(
  { link: { id, enabled }, mayUpdate, mayDelete }: ShownLink,
  state: LinkState,
  shortUrl: string,
): ComponentChildren {
  const path = `/dashboard/links/${id}`
  const isOn = enabled === 1
  return html`<div class="actions link-actions">
    ${mayUpdate && html`<a class="button" href=${`${path}/edit`}>Edit</a>`}
    ${
      // Turning on a link that has expired would not make it work.
      mayUpdate &&
      state !== 'expired' &&
      postButton({
        action: `${path}/turn-${isOn ? 'off' : 'on'}`,
        label: isOn ? 'Turn off' : 'Turn on',
        about: shortUrl,
      })
    }
    ${mayDelete && html`<a class="button plain danger" href=${`${path}/delete`}>Delete</a>`}
  </div>`
}

/** The page of a deleted link: what is left of the link. */
export function deletedLinkPage(addresses: Addresses, shown: ShownLink): DashboardPage {
  const { link, owner, earlier } = shown
  return {
    title: withoutScheme(addresses.shortUrl(link)),
    content: [
      html`<p class="lead">
        <span class="state">Deleted</span>${' '}This short URL will never lead anywhere again, and
        no other link gets it.
      </p>`,
      factList([
        ['Owner', owner],
        ['Created', moment(link.created_at)],
        ['Deleted', link.deleted_at === null ? '' : moment(link.deleted_at)],
        ...earlierFact(earlier),
      ]),
      ...historySections(shown),
    ],
  }
}

function historySections({ link, changes, creator, ended, page }: ShownLink): ComponentChildren[] {
  return [
    historySection(changes, { createdAt: link.created_at, creator }),
    destinationsSection(link.id, ended, page),
  ]
}

function earlierFact(earlier: readonly string[]): [string, ComponentChildren][] {
  if (earlier.length === 0) return []
  return [['Earlier short URLs', earlier.map((url) => html`<div>${withoutScheme(url)}</div>`)]]
}

function imageFact(link: LinkRow): [string, ComponentChildren][] {
  const src = previewImagePath(link)
  if (src === undefined) return []
  const name = ifEnabled(specOf('preview_image').label, link, 'preview_image')
  return [[name, html`<img class="preview-image" src=${src} alt="The link’s preview image" />`]]
}

/** The path of a link's preview image, which the dashboard shows even if the link is off. Undefined if it has none. */
export function previewImagePath({ id, preview_image_type: type }: LinkRow): string | undefined {
  return type === null ? undefined : `/dashboard/links/${id}/preview-image`
}

/** A text about a field, which says if the group of the field is turned off. */
function ifEnabled(text: string, link: LinkRow, name: LinkField): string {
  const { group } = specOf(name)
  return group && link[GROUP_FLAGS[group]] === 0 ? `${text} (not enabled)` : text
}
