import type { LinkPage } from '../client/link-client.ts'
import type { LinkListPage } from './blocks/link-list.ts'
import { encodeListPosition, type ListPosition } from './input/list-text.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { linkKey } from './link-key.ts'
import type { Links } from './links.ts'

/** Links a page; with its header, summary and buttons, a page stays far below Slack's 50 blocks. */
const PER_PAGE = 10

/** Links that a message has room for, where a service insists on pages of its own size. */
const MOST = 40

/**
 * A page of the workspace's links, ready to be drawn.
 *
 * @throws LinkServiceError, NotConnectedError
 */
export async function listPage(
  links: Links,
  workspace: Workspace,
  position: ListPosition,
): Promise<LinkListPage> {
  const page = await fetchPage(links, workspace, position)
  const at = (number: number): string => encodeListPosition({ ...position, page: number })
  const previous = previousPage(page, position.page)
  return {
    ...page,
    links: page.links.map((link) => ({ ...link, key: linkKey(link.name) })),
    page: position.page,
    sortBy: position.sort_by,
    order: position.order,
    position: at(position.page),
    ...(previous !== undefined && { previous: at(previous) }),
    ...(page.hasNext && { next: at(position.page + 1) }),
  }
}

/** A page of ours, whatever the service makes of `per_page`. */
export async function fetchPage(
  links: Links,
  workspace: Workspace,
  position: ListPosition,
): Promise<LinkPage> {
  const answer = await links.list(workspace, { ...position, per_page: PER_PAGE })
  return asPage(answer, position.page)
}

/**
 * A page of ours. A service that takes no notice of `per_page` sends pages of its own size, which
 * its totals give away, or else everything at once, which is then paged here.
 */
function asPage(answer: LinkPage, number: number): LinkPage {
  const { links, skipped, totalItems = 0 } = answer
  if (links.length <= PER_PAGE) return answer
  if (totalItems > links.length + skipped) return { ...answer, links: links.slice(0, MOST) }
  return {
    ...answer,
    links: links.slice((number - 1) * PER_PAGE, number * PER_PAGE),
    totalItems: links.length,
    totalPages: Math.ceil(links.length / PER_PAGE),
    hasNext: number * PER_PAGE < links.length,
  }
}

/** From beyond the end, back to the last page that has something. */
function previousPage({ links, totalPages }: LinkPage, number: number): number | undefined {
  if (number === 1) return undefined
  if (links.length > 0) return number - 1
  return Math.max(1, Math.min(totalPages ?? 1, number - 1))
}
