import type { Operation } from '../../../client/operation.ts'
import { conflictKind, conflictingLink } from '../../../client/conflict.ts'
import { ApiError, LinkExistsError } from '../../../client/errors.ts'
import { listNewest } from '../../../client/own-link.ts'
import type { ListedLink } from '../../../client/link-page.ts'
import { hostnameTest } from '../../../workspaces/connection.ts'
import type { Workspace } from '../../../workspaces/workspace.ts'
import type { LinkService } from '../../links/link-service.ts'
import type { CheckedRequest } from '../create-request.ts'

/** How many of the newest links are searched: one page, as large as services allow. */
const SEARCHED_LINKS = 100

/** How long the search may take, in milliseconds. The user is waiting. */
const SEARCH_WITHIN_MS = 3_000

/**
 * Finds the existing link after the service refused a duplicate: the link that the service names in its
 * error, or else one of the workspace's newest links. Undefined if the error says something else, or if
 * the link can't be found.
 *
 * @param operation what the create was part of
 */
export async function findDuplicate(
  linkService: LinkService,
  error: unknown,
  workspace: Workspace,
  request: CheckedRequest,
  { operation, withinMs = SEARCH_WITHIN_MS }: { operation?: Operation; withinMs?: number } = {},
): Promise<ListedLink | undefined> {
  if (error instanceof LinkExistsError) return error.link
  if (!(error instanceof ApiError) || error.status !== 409) return undefined
  if (conflictKind(error, request) !== 'duplicate') return undefined
  // The key may not be allowed to list, or the service may be slow. Then the error itself is the answer.
  return (
    conflictingLink(error) ??
    searchNewest(linkService, workspace, request, {
      operation,
      signal: AbortSignal.timeout(withinMs),
    }).catch(() => undefined)
  )
}

async function searchNewest(
  linkService: LinkService,
  workspace: Workspace,
  { destination_url, domain }: CheckedRequest,
  options: { operation: Operation | undefined; signal: AbortSignal },
): Promise<ListedLink | undefined> {
  const isOnWantedDomain = hostnameTest(await linkService.connection(workspace), domain)
  const newest = await listNewest((query) => linkService.list(workspace, query, options), {
    atMost: SEARCHED_LINKS,
  })
  const href = URL.parse(destination_url)?.href
  return newest.links.find(
    (link) =>
      URL.parse(link.destination_url)?.href === href &&
      isOnWantedDomain(new URL(link.shortlink_url)),
  )
}
