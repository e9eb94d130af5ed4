import type { Capabilities } from '../../port/capabilities.ts'
import type { CallOptions } from '../../port/link-service.ts'
import type { LinkPage, ListedLink } from '../../port/links.ts'
import { createOperation } from '../../port/operation.ts'
import { inParallel } from '../../timing/in-parallel.ts'
import { personId, type Workspace } from '../../workspaces/workspace.ts'
import { FIRST_PAGE, type ListPosition } from '../block-kit/list-position.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { readCurrent } from './current-link.ts'
import type { LinkPlatform } from './links.ts'

export interface ListLink extends ListedLink {
  deleted?: true
  /** The link is shown as the app recorded it, because the service wasn't asked for it or didn't answer. */
  isUnchecked?: true
}

export interface ListPage extends Omit<LinkPage, 'links'> {
  links: ListLink[]
  position: ListPosition
  /** The page comes from the app's own record of the links that were created in Slack. */
  isRecord?: true
  /** The sort order that was asked for but isn't available. The page is sorted by age instead. */
  unavailableSort?: ListPosition['sort_by']
}

/** With its header, summary and buttons, a page has far less than Slack's maximum of 50 blocks. */
export const PER_PAGE = 10

const MAX_SHOWN = 40
const CONCURRENCY = 4
const DETAILS_WITHIN_MS = 6_000

type ListSources = Pick<LinkPlatform, 'linkService' | 'createdLinks' | 'clock'>

/**
 * Fetches a page of a list of links from the link service. If the service can't search or filter by creator, and the
 * list needs that, the page comes from the app's record of the links created in Slack. If the sort order isn't
 * available, the page is sorted by age.
 */
export async function fetchList(
  sources: ListSources,
  { workspace, userId = '' }: Pick<Caller, 'workspace' | 'userId'>,
  position: ListPosition,
  { details = true, ...options }: CallOptions & { details?: boolean } = {},
): Promise<ListPage> {
  const { linkService } = sources
  const { q, mine, by, tag } = position
  const capabilities = tag
    ? await linkService.requireCapabilities(workspace, 'can filter by tags')
    : await linkService.capabilities(workspace)
  if (tag) checkTags(position, capabilities)
  const request = { workspace, position, creator: mine ? userId : by, capabilities }
  const canFilter = !request.creator || capabilities.creatorFilter
  if (canFilter && (q === undefined || capabilities.search)) {
    return listFromService(sources, request, options)
  }
  const page = await listFromRecord(sources, request)
  return details && capabilities.get && !capabilities.isMetered
    ? { ...page, links: await withDetails(sources, workspace, page.links, options) }
    : page
}

interface ListRequest {
  workspace: Workspace
  position: ListPosition
  creator: string | undefined
  capabilities: Capabilities
}

async function listFromService(
  { linkService }: ListSources,
  { workspace, position, creator, capabilities }: ListRequest,
  options: CallOptions,
): Promise<ListPage> {
  const { sorts, orders } = capabilities
  const canSort = sorts.includes(position.sort_by) && orders.includes(position.order)
  const available = canSort ? position : sortedByAge(position, capabilities)
  const { mine: _mine, by: _by, ...filter } = available
  const person = creator && { created_by: personId(workspace.id, creator) }
  const query = { ...filter, ...person, per_page: PER_PAGE }
  const page = await linkService.list(workspace, query, options)
  const links = page.links.slice(0, MAX_SHOWN)
  return {
    ...page,
    links,
    position: available,
    ...(!canSort && { unavailableSort: position.sort_by }),
  }
}

async function listFromRecord(
  { createdLinks }: ListSources,
  { workspace, position, creator, capabilities }: ListRequest,
): Promise<ListPage> {
  const { page, q, order, sort_by } = position
  const query = { createdBy: creator, text: q, order, page, perPage: PER_PAGE }
  const { links, total, hasMore } = await createdLinks.list(workspace.id, query)
  const totalPages = Math.ceil(total / PER_PAGE)
  // The record knows when a link was created, but neither when it was changed nor its clicks.
  const isByAge = sort_by !== 'updated_at' && sort_by !== 'clicks'
  return {
    links: links.map((link) => ({ ...link, isUnchecked: true })),
    skipped: 0,
    totalItems: total,
    totalPages,
    hasNext: page < totalPages,
    ...(hasMore && { hasMore: true as const }),
    position: isByAge ? position : sortedByAge(position, capabilities),
    ...(!isByAge && { unavailableSort: sort_by }),
    isRecord: true,
  }
}

function sortedByAge(position: ListPosition, { orders }: Capabilities): ListPosition {
  const order = orders.includes(position.order) ? position.order : FIRST_PAGE.order
  return { ...position, sort_by: FIRST_PAGE.sort_by, order }
}

async function withDetails(
  { clock, linkService }: ListSources,
  workspace: Workspace,
  links: readonly ListLink[],
  { operation = createOperation({ clock, deadlineMs: DETAILS_WITHIN_MS }), signal }: CallOptions,
): Promise<ListLink[]> {
  return inParallel(links, CONCURRENCY, async (link) => {
    const options = { operation, signal }
    const read = await readCurrent({ clock, linkService }, workspace, link.name, options)
    return read === 'gone' ? { ...link, deleted: true } : (read ?? link)
  })
}

/** @throws SlackInputError if the service can't filter this list by tags. The app's record has no tags */
function checkTags({ q, mine, by }: ListPosition, capabilities: Capabilities): void {
  const { tagFilter, search, creatorFilter } = capabilities
  const isOfPerson = mine === true || by !== undefined
  if (tagFilter && (!isOfPerson || creatorFilter) && (q === undefined || search)) return
  throw new SlackInputError(
    isOfPerson
      ? `A person’s links can’t be filtered by tags. Leave out ${mine ? '“mine”' : 'the person'} or the tags.`
      : 'This workspace’s link service can’t filter this list by tags. Leave out the tags.',
  )
}
