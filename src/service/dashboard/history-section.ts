import type { ComponentChildren } from 'preact'
import { eachField, LINK_FIELD_NAMES, specOf } from '../../contract/link-fields.ts'
import { html } from '../../web/layout.ts'
import { CHANGES_AT_ONCE, type FieldChanges, type LinkChange } from '../store/link-history.ts'
import { moment, momentText, table } from './page.ts'

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
export function historySection(history: History, createdAt: number): ComponentChildren {
  const isCut = history.changes.length === CHANGES_AT_ONCE
  return html`<section>
    <h2>History</h2>
    ${historyTable(history, isCut ? [] : [[moment(createdAt), 'Created', '']])}
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
      ...changes.map(({ at, madeBy, changes: fields }) => [
        moment(at),
        describe(fields),
        madeBy === 'dashboard' ? 'Dashboard' : (keyNames.get(madeBy) ?? 'A removed key'),
      ]),
      ...more,
    ],
  )
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
