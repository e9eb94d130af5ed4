import type { ComponentChildren } from 'preact'
import { eachField, LINK_FIELD_NAMES, specOf } from '../../contract/link-fields.ts'
import type { Person } from '../../contract/person.ts'
import { html } from '../../web/layout.ts'
import { readableUrl } from '../../web/readable-url.ts'
import {
  DESTINATIONS_AT_ONCE,
  KEPT_DAYS,
  type EndedDestination,
} from '../store/link-destinations.ts'
import type { LinkRow } from '../store/links.ts'
import { DASHBOARD, makerOf } from '../store/makers.ts'
import { CHANGES_AT_ONCE, type FieldChanges, type LinkChange } from '../store/link-history.ts'
import { withoutScheme } from './links-page.ts'
import { moment, momentText, pager, table, type DashboardPage } from './page.ts'

/** The history of a link. */
export interface History {
  /** Newest first. */
  changes: readonly LinkChange[]
  /** The names of API keys by their ids. */
  keyNames: ReadonlyMap<string, string>
}

const NAMES: Partial<Record<string, string>> = eachField(
  LINK_FIELD_NAMES,
  (name) => specOf(name).label,
)

/** All changes of a link, newest first. */
export function historySection(history: History, link: LinkRow): ComponentChildren {
  const isCut = history.changes.length === CHANGES_AT_ONCE
  return html`<section>
    <h2>History</h2>
    ${historyTable(history, isCut ? [] : [[moment(link.created_at), 'Created', makerText(makerOf(link), history.keyNames)]])}
    <p><a href=${`/dashboard/links/${link.id}/destinations`}>Where this link led before</a></p>
    ${isCut && html`<p><small>Only the last ${CHANGES_AT_ONCE} changes are shown.</small></p>`}
  </section>`
}

/** Changes of a link: when, what, and by whom. */
export function historyTable(
  { changes, keyNames }: History,
  more: readonly ComponentChildren[][] = [],
): ComponentChildren {
  return table(
    'Changes',
    ['When', 'What', 'By'],
    [
      ...changes.map(({ at, changes: fields, ...maker }) => [
        moment(at),
        describe(fields),
        makerText(maker, keyNames),
      ]),
      ...more,
    ],
  )
}

/** The key is shown as well, because its holder says who the person is. */
function makerText(
  { madeBy, person }: { madeBy: string | null; person?: Person | undefined },
  keyNames: History['keyNames'],
): ComponentChildren {
  if (madeBy === null) return ''
  const key = madeBy === DASHBOARD ? 'Dashboard' : (keyNames.get(madeBy) ?? 'A removed key')
  return person ? html`<bdi>${person.name || person.id}</bdi> <small>with ${key}</small>` : key
}

/** Where a link led before. The history doesn't show all of that. */
export function destinationsPage(
  shortUrl: string,
  { id, deleted_at: deletedAt }: LinkRow,
  {
    ended,
    keyNames,
    page,
  }: { ended: EndedDestination[]; keyNames: History['keyNames']; page: number },
): DashboardPage {
  return {
    title: `Where ${withoutScheme(shortUrl)} led`,
    content: () => [
      html`<p class="lead">
        ${
          deletedAt === null
            ? 'Only this dashboard shows earlier destinations.'
            : `Only this dashboard shows earlier destinations, for ${KEPT_DAYS} days after the deletion.`
        }${' '}<a href=${`/dashboard/links/${id}`}>Back to the link</a>
      </p>`,
      table(
        'Earlier destinations',
        ['Until', 'Destination', 'Changed by'],
        ended
          .slice(0, DESTINATIONS_AT_ONCE)
          .map(({ ended_at: at, destination_url: url, ...row }) => [
            moment(at),
            html`<span class="long">${readableUrl(url)}</span>`,
            makerText(makerOf(row), keyNames),
          ]),
      ),
      pager({
        page,
        hasNext: ended.length > DESTINATIONS_AT_ONCE,
        to: (target) => `/dashboard/links/${id}/destinations?page=${target}`,
      }),
    ],
  }
}

function describe(fields: FieldChanges): ComponentChildren {
  const entries = Object.entries(fields)
  // The values of a deleted link are removed.
  if (entries.length === 0) return 'Changed'
  return entries.map(([name, [was, is]]) => {
    if (name === 'deleted') return line('Deleted')
    if (name === 'enabled') return line(is === true ? 'Turned on' : 'Turned off')
    return line(`${NAMES[name] ?? name}: ${shown(name, was)} → ${shown(name, is)}`)
  })
}

function line(text: string): ComponentChildren {
  return html`<div class="change"><bdi>${text}</bdi></div>`
}

function shown(name: string, value: FieldChanges[string][0]): string {
  if (value === null) return name === 'expires_at' ? 'never' : 'none'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (name === 'expires_at') return momentText(Date.parse(value))
  return name === 'preview_image' ? value.replace('image/', '') : `“${value}”`
}
