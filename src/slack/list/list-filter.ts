import { formatNumber } from '../../web/numbers.ts'
import type { ListPosition } from '../block-kit/list-position.ts'
import { escape, isolate } from '../block-kit/mrkdwn.ts'
import { COMMAND } from '../ids.ts'
import type { ListPage } from '../links/link-lists.ts'

/** What a list says about its filter and its search. */

export function isFiltered({ q, mine }: ListPosition): boolean {
  return q !== undefined || mine === true
}

export function listTitle({ mine }: ListPosition): string {
  return mine ? 'My links' : 'Links'
}

/** What the list was searched for, and what the search left out, as mrkdwn. */
export function searchNotes({ links, position, ...list }: ListPage): string[] {
  const { q, mine } = position
  const { hasMore, isRecord, totalItems = 0 } = list
  const what = mine ? 'Links that you made in Slack' : 'Links'
  return [
    ...(links.length === 0 || !isFiltered(position)
      ? []
      : [q === undefined ? `${what}.` : `${what} with ${quoted(q)}.`]),
    ...(isRecord && !mine
      ? ['This link service can’t search, so these are the matches among links made in Slack.']
      : []),
    ...(hasMore ? [moreText(totalItems)] : []),
  ]
}

/** How many matches a search finds at most, here and at our link service. */
const MAX_MATCHES = 1_000

function moreText(totalItems: number): string {
  return totalItems >= MAX_MATCHES
    ? `More than ${formatNumber(totalItems)} links match; these are the newest.`
    : 'Only the newest links were searched. Type more of the text to find older ones.'
}

/** Why a page has no links, as mrkdwn. */
export function emptyPageText({ position: { page, q, mine } }: ListPage): string {
  const which = `${mine ? ' that you made in Slack' : ''}${q === undefined ? '' : ` with ${quoted(q)}`}`
  if (page > 1) {
    const hint = q === undefined ? '' : ' To search for a number, put it in quotes.'
    return `There are no links${which} on page ${formatNumber(page)}.${hint}`
  }
  if (q !== undefined) return `No links${which} were found.`
  return mine
    ? 'There are no links that you made in Slack.'
    : `No links yet. Make the first one: \`${COMMAND} https://example.com/some/long/page\``
}

function quoted(q: string): string {
  return `“${isolate(escape(q))}”`
}
