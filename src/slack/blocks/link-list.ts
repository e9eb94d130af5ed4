import type { KnownBlock, PlainTextOption } from '@slack/types'
import type { SortField, SortOrder } from '../../contract/list-query.ts'
import type { Shortlink } from '../../contract/shortlink.ts'
import { ACTIONS, COMMAND } from '../ids.ts'
import { button, context, option, plain, section, type MessageContent } from './elements.ts'
import { cut, LIMITS } from './limits.ts'
import { ago, escape, link, readable } from './mrkdwn.ts'

/** One page of links as it is shown. */
export interface LinkListPage {
  links: (Shortlink & { created_at?: string | undefined })[]
  /** Links that the service sent and that could not be read. */
  skipped: number
  page: number
  totalItems?: number | undefined
  totalPages?: number | undefined
  sortBy: SortField
  order: SortOrder
  /** Where the buttons lead, as they send it back; absent where there is nothing. */
  previous?: string | undefined
  next?: string | undefined
}

const SORTS: [SortField, SortOrder, string][] = [
  ['most_recent', 'desc', 'Most recent first'],
  ['most_recent', 'asc', 'Oldest first'],
  ['created_at', 'desc', 'Created: newest first'],
  ['created_at', 'asc', 'Created: oldest first'],
  ['updated_at', 'desc', 'Updated: newest first'],
  ['updated_at', 'asc', 'Updated: oldest first'],
]

/** The workspace's links, ten a page, with buttons that lead on. */
export function linkList(page: LinkListPage): MessageContent {
  return {
    text: `Links, page ${page.page}`,
    blocks: [
      { type: 'header', text: plain('Links', LIMITS.headerText) },
      ...(page.links.length > 0
        ? page.links.map((one) => section(line(one)))
        : [section(nothingHere(page))]),
      context(summary(page)),
      controls(page),
    ],
  }
}

function line(one: Shortlink & { created_at?: string | undefined }): string {
  const url = one.shortlink_url
  const about = [
    ...(one.title ? [escape(cut(one.title, 150))] : []),
    ...(one.created_at ? [ago(one.created_at)] : []),
  ].filter(Boolean)
  return [
    [`*${link(url, readable(url))}*`, ...about].join('  ·  '),
    escape(cut(readable(one.destination_url), 200)),
  ].join('\n')
}

function nothingHere({ page }: LinkListPage): string {
  return page === 1
    ? `No links yet. Make the first one: \`${COMMAND} https://example.com/some/long/page\``
    : `There is nothing on page ${page}.`
}

function summary({ page, totalPages, totalItems, skipped }: LinkListPage): string {
  return [
    totalPages && totalPages >= page ? `Page ${page} of ${totalPages}` : `Page ${page}`,
    ...(totalItems === undefined ? [] : [totalItems === 1 ? '1 link' : `${totalItems} links`]),
    ...(skipped > 0 ? [`${skipped} could not be read`] : []),
  ].join('  ·  ')
}

function controls({ previous, next, sortBy, order }: LinkListPage): KnownBlock {
  const options = SORTS.map(([field, way, text]) => option(text, `${field}:${way}`))
  const chosen = options.find(({ value }) => value === `${sortBy}:${order}`) as PlainTextOption
  return {
    type: 'actions',
    elements: [
      ...(previous ? [button('Previous', ACTIONS.listPrevious, { value: previous })] : []),
      ...(next ? [button('Next', ACTIONS.listNext, { value: next })] : []),
      {
        type: 'static_select',
        action_id: ACTIONS.listSort,
        options,
        initial_option: chosen,
      },
    ],
  }
}
