import { isLinkField, FIELD_SPECS } from '../../contract/link-fields.ts'
import { html } from '../../web/layout.ts'
import { readableUrl } from '../../web/readable-url.ts'
import {
  DESTINATIONS_AT_ONCE,
  KEPT_DAYS,
  type EndedDestination,
  CHANGES_AT_ONCE,
  type FieldChanges,
  type LinkChange,
} from '../store/link-history.ts'
import { DASHBOARD, type NamedCreator } from '../store/links.ts'
import { moment, momentText, pager, table } from './page.ts'

export function historySection(
  changes: readonly LinkChange[],
  { createdAt, creator }: { createdAt: number; creator: NamedCreator },
) {
  const isCut = changes.length === CHANGES_AT_ONCE
  const rows = changes.map((change) => [
    moment(change.at),
    describe(change.changes),
    creatorText(change),
  ])
  if (!isCut) rows.push([moment(createdAt), 'Created', creatorText(creator)])
  return html`<section>
    <h2>History</h2>
    ${table('Changes', ['When', 'What', 'By'], rows)}
    ${isCut && html`<p><small>Only the last ${CHANGES_AT_ONCE} changes are shown.</small></p>`}
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
  ended: readonly EndedDestination[],
  page: number,
) {
  if (ended.length === 0) return null
  const rows = ended
    .slice(0, DESTINATIONS_AT_ONCE)
    .map((destination) => [
      moment(destination.ended_at),
      html`<span class="long">${readableUrl(destination.destination_url)}</span>`,
      creatorText(destination),
    ])
  return html`<section>
    <h2>Earlier destinations</h2>
    <p><small>They are kept for ${KEPT_DAYS} days after the link is deleted.</small></p>
    ${table('Earlier destinations', ['Until', 'Destination', 'Changed by'], rows)}
    ${pager(`/dashboard/links/${linkId}`, page, ended.length > DESTINATIONS_AT_ONCE)}
  </section>`
}

function describe(fields: FieldChanges) {
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

function shown(name: string, value: FieldChanges[string][0]): string {
  if (value === null) return name === 'expires_at' ? 'never' : 'none'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (name === 'expires_at') return momentText(Date.parse(value))
  return name === 'preview_image' ? value.replace('image/', '') : `“${value}”`
}
