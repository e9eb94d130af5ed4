import type { CallOptions, LinkPage } from '../../client/link-client.ts'
import { SORT_FIELDS, SORT_ORDERS, type ListQuery } from '../../contract/list-query.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { LinkService } from './link-service.ts'

/** Which page of the workspace's links, and in which order. */
export type ListPosition = Pick<ListQuery, 'sort_by' | 'order' | 'page'>

export const FIRST_PAGE: ListPosition = { sort_by: 'most_recent', order: 'desc', page: 1 }

/** `most_recent:desc:2`, for a button's or an option's value. */
export function encodeListPosition({ sort_by, order, page }: ListPosition): string {
  return [sort_by, order, page].join(':')
}

/** Decodes a position. Every part that can't be read is the first page's. */
export function decodeListPosition(text: string): ListPosition {
  const [sort, order, page = ''] = text.split(':')
  return {
    sort_by: SORT_FIELDS.find((field) => field === sort) ?? FIRST_PAGE.sort_by,
    order: SORT_ORDERS.find((name) => name === order) ?? FIRST_PAGE.order,
    page: parsePageNumber(page) ?? FIRST_PAGE.page,
  }
}

/** A page number from 1; undefined for anything else. */
export function parsePageNumber(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

/** Links on a page. With a header, a summary and buttons, it stays far below Slack's 50 blocks. */
export const PER_PAGE = 10

/** Links that one message has room for, if a service insists on its own page size. */
const MAX_SHOWN = 40

/**
 * Fetches a page of the workspace's links, even from a service that ignores `per_page`.
 *
 * @throws LinkServiceError, NotConnectedError
 */
export async function fetchLinkPage(
  linkService: LinkService,
  workspace: Workspace,
  position: ListPosition,
  options?: CallOptions,
): Promise<LinkPage> {
  const page = await linkService.list(workspace, { ...position, per_page: PER_PAGE }, options)
  return { ...page, links: page.links.slice(0, MAX_SHOWN) }
}
