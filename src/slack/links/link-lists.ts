import { createOperation, type Operation } from '../../client/operation.ts'
import type { Clock } from '../../timing/clock.ts'
import { LinkGoneError, LinkServiceError } from '../../client/errors.ts'
import { inParallel } from '../../timing/in-parallel.ts'
import type { CallOptions, LinkPage, ListedLink } from '../../client/link-client.ts'
import type { MadeLinks, RecordedLink } from '../../workspaces/made-links.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { ListPosition } from '../block-kit/list-position.ts'
import type { Caller } from '../platform/caller.ts'
import type { LinkService } from './link-service.ts'

export interface ListLink extends ListedLink {
  /** The record knows this link, but the link service doesn't have it anymore. */
  deleted?: true
}

/** A page of links, and its position in the list. */
export interface ListPage extends Omit<LinkPage, 'page' | 'perPage' | 'links'> {
  links: ListLink[]
  position: ListPosition
  /** Set if the page comes from the app's own record of the links that were made in Slack. */
  isRecord?: true
}

/** Links on a page. With a header, a summary and buttons, it stays far below Slack's 50 blocks. */
export const PER_PAGE = 10

/** Links that one message has room for, if a service insists on its own page size. */
const MAX_SHOWN = 40

/** How many links are requested at the same time. */
const CONCURRENCY = 4

/** How long asking for the details of a page may take, in milliseconds. The page is shown without the rest. */
const DETAILS_WITHIN_MS = 6_000

/** The lists of a workspace's links, from its link service or from the app's own record. */
export type LinkLists = ReturnType<typeof createLinkLists>

export function createLinkLists({
  linkService,
  madeLinks,
  clock,
}: {
  linkService: LinkService
  madeLinks: Pick<MadeLinks, 'list'>
  clock: Clock
}) {
  /** @returns the link as the service has it; if the service doesn't answer, as it was recorded */
  async function ask(
    workspace: Workspace,
    recorded: RecordedLink,
    options: CallOptions & { operation: Operation },
  ): Promise<ListLink> {
    const link = listedLink(recorded)
    try {
      return (await linkService.get(workspace, recorded.name, options)).link
    } catch (error) {
      if (error instanceof LinkGoneError) return { ...link, deleted: true }
      if (error instanceof LinkServiceError) return link
      throw error
    }
  }

  async function askForAll(
    workspace: Workspace,
    recorded: readonly RecordedLink[],
    { operation = createOperation({ clock, deadlineMs: DETAILS_WITHIN_MS }), signal }: CallOptions,
  ): Promise<ListLink[]> {
    return inParallel(recorded, CONCURRENCY, (link) => ask(workspace, link, { operation, signal }))
  }

  return {
    /**
     * Fetches a page. The record answers what the service can't: which links the user made in Slack, and searches, if
     * the service can't search.
     *
     * @param options `details`: whether to ask the service about each link of the record; by default, it is asked
     * @throws LinkServiceError, NotConnectedError
     */
    async fetch(
      { workspace, userId = '' }: Pick<Caller, 'workspace' | 'userId'>,
      position: ListPosition,
      { details = true, ...options }: CallOptions & { details?: boolean } = {},
    ): Promise<ListPage> {
      const { q, mine } = position
      const offers = q !== undefined || mine ? await linkService.offersSoon(workspace) : undefined
      if (!offers || (offers.search && !mine)) {
        const page = await fetchLinkPage(linkService, workspace, position, options)
        return { ...page, position }
      }
      const { links, total, hasMore } = await madeLinks.list(workspace.id, {
        madeBy: mine ? userId : undefined,
        text: q,
        order: position.order,
        page: position.page,
        perPage: PER_PAGE,
      })
      const totalPages = Math.ceil(total / PER_PAGE)
      return {
        links:
          details && offers.get
            ? await askForAll(workspace, links, options)
            : links.map(listedLink),
        skipped: 0,
        totalItems: total,
        totalPages,
        hasNext: position.page < totalPages,
        ...(hasMore && { hasMore: true as const }),
        // The record knows when a link was made, but not when it was changed.
        position:
          position.sort_by === 'updated_at' ? { ...position, sort_by: 'most_recent' } : position,
        isRecord: true,
      }
    },
  }
}

function listedLink({ name, shortUrl, destinationUrl, title, ...link }: RecordedLink): ListLink {
  return {
    name,
    shortlink_url: shortUrl,
    destination_url: destinationUrl,
    ...(title && { title }),
    created_at: new Date(link.madeAt).toISOString(),
    ...(link.expiresAt !== undefined && { expires_at: new Date(link.expiresAt).toISOString() }),
  }
}

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
  const { mine: _mine, ...query } = position
  const page = await linkService.list(workspace, { ...query, per_page: PER_PAGE }, options)
  return { ...page, links: page.links.slice(0, MAX_SHOWN) }
}
