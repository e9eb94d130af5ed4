import type { MessageContent } from './blocks/elements.ts'
import { linkList } from './blocks/link-list.ts'
import { encodeListPosition, type ListPosition } from './input/list-text.ts'
import type { Links, Workspace } from './links.ts'

/** Links a page; with its header, summary and buttons, a page stays far below Slack's 50 blocks. */
const PER_PAGE = 10

/** Fetches a page of the workspace's links and draws it. */
export async function listPage(
  links: Links,
  workspace: Workspace,
  position: ListPosition,
): Promise<MessageContent> {
  const page = await links.list(workspace, { ...position, per_page: PER_PAGE })
  return linkList({
    ...page,
    page: position.page,
    sortBy: position.sort_by,
    order: position.order,
    position: encodeListPosition(position),
  })
}
