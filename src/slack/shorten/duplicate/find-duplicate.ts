import { conflictKind, conflictingLink } from '../../../client/conflict.ts'
import { ApiError } from '../../../client/errors.ts'
import type { Shortlink } from '../../../contract/shortlink.ts'
import { isOnDomain } from '../../../workspaces/connection.ts'
import type { Workspace } from '../../../workspaces/workspace.ts'
import type { LinkService } from '../../platform/link-service.ts'
import type { CheckedRequest } from '../create-request.ts'

/** How many of the newest links are searched: one page, as large as services allow. */
const SEARCHED_LINKS = 100

/** How long the search may take, in milliseconds. The user is waiting. */
const SEARCH_WITHIN_MS = 3_000

/**
 * Finds the existing link after the service refused a duplicate: the link that the service names in its
 * error, or else one of the workspace's newest links. Undefined if the error says something else, or if
 * the link can't be found.
 */
export async function findDuplicate(
  linkService: LinkService,
  error: unknown,
  workspace: Workspace,
  request: CheckedRequest,
  withinMs = SEARCH_WITHIN_MS,
): Promise<Shortlink | undefined> {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined
  if (conflictKind(error, request) !== 'duplicate') return undefined
  // The key may not be allowed to list, or the service may be slow. Then the error itself is the answer.
  return (
    conflictingLink(error) ??
    searchNewest(linkService, workspace, request, withinMs).catch(() => undefined)
  )
}

async function searchNewest(
  linkService: LinkService,
  workspace: Workspace,
  { destination_url, domain }: CheckedRequest,
  withinMs: number,
): Promise<Shortlink | undefined> {
  const { source, domains } = await linkService.connection(workspace)
  const wanted = domains.find(({ name }) => name === domain)
  // The deployment's own configuration names the domain record but not its hostname.
  const isOnWantedDomain = (shortUrl: URL): boolean =>
    source === 'configured' || (wanted !== undefined && isOnDomain(shortUrl, wanted))
  const newest = await linkService.list(
    workspace,
    { per_page: SEARCHED_LINKS, sort_by: 'most_recent', order: 'desc' },
    { signal: AbortSignal.timeout(withinMs) },
  )
  const href = URL.parse(destination_url)?.href
  return newest.links.find(
    (link) =>
      URL.parse(link.destination_url)?.href === href &&
      isOnWantedDomain(new URL(link.shortlink_url)),
  )
}
