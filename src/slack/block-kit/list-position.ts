import { OUR_SORT_FIELDS, SORT_ORDERS, type ListQuery } from '../../contract/list-query.ts'
import { formatNumber } from '../../web/numbers.ts'

/** Which page of which of the workspace's links, and in which order. */
export interface ListPosition extends Pick<ListQuery, 'sort_by' | 'order' | 'page'> {
  /** Only links that contain this text (`searchTextOf`). */
  q?: string | undefined
  /** Only links that the user made in Slack. */
  mine?: true | undefined
}

export const FIRST_PAGE: ListPosition = { sort_by: 'most_recent', order: 'desc', page: 1 }

/**
 * `most_recent:desc:2` or `most_recent:desc:2:mine:spring+sale`, for a button's value and for a block_id. It is
 * ASCII without `&`, `<` and `>`, which Slack may write differently, and has at most 1,840 characters. An English
 * text of any allowed length fits into a block_id as well.
 */
export function encodeListPosition({ sort_by, order, page, q, mine }: ListPosition): string {
  const position = [sort_by, order, page]
  if (q === undefined && !mine) return position.join(':')
  return [...position, mine ? 'mine' : 'all', ...(q === undefined ? [] : [encodeText(q)])].join(':')
}

/** Decodes a position. Every part that can't be read is the first page's. */
export function decodeListPosition(text: string): ListPosition {
  const [sort, order, page = '', whose, ...encoded] = text.split(':')
  const q = encoded.length > 0 ? decodeText(encoded.join(':')) : undefined
  return {
    sort_by: OUR_SORT_FIELDS.find((field) => field === sort) ?? FIRST_PAGE.sort_by,
    order: SORT_ORDERS.find((name) => name === order) ?? FIRST_PAGE.order,
    page: parsePageNumber(page) ?? FIRST_PAGE.page,
    ...(q !== undefined && { q }),
    ...(whose === 'mine' && { mine: true as const }),
  }
}

function encodeText(text: string): string {
  return text.replaceAll(/[^ -~]|[%&<>+]/gu, encodeURIComponent).replaceAll(' ', '+')
}

function decodeText(encoded: string): string | undefined {
  try {
    const text = decodeURIComponent(encoded.replaceAll('+', ' '))
    return searchTextError(text) === undefined ? text : undefined
  } catch {
    return undefined // Not encoded by this app.
  }
}

/** What can be searched for, in characters. Link services that can search have the same limits. */
export const SEARCH_LENGTH = { min: 3, max: 200 }

/** A text to search for as the user typed it: on one line, without white space around it. */
export function searchTextOf(typed: string): string {
  return typed
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
}

/** Why a text can't be searched for; undefined if it can be. */
export function searchTextError(text: string): string | undefined {
  const { min, max } = SEARCH_LENGTH
  if (text.length > max) {
    return `You can search for at most ${max} characters, and this text has ${formatNumber(text.length)}. Part of it is enough.`
  }
  if (Array.from(text).length >= min) return undefined
  return text === ''
    ? `Type what to search for: at least ${min} characters.`
    : `“${text}” is too short to search for. A search needs at least ${min} characters.`
}

/** A page number from 1; undefined for anything else. */
export function parsePageNumber(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}
