import type { Shortlink } from '../contract/shortlink.ts'
import { conflictKind, existingLink } from '../client/conflict.ts'
import { ApiError } from '../client/errors/api-error.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import type { CheckedDraft } from './input/create-request.ts'
import type { Links } from './links.ts'
import { isOnDomain } from './short-host.ts'

/** How many of the newest links are looked through: one page, as large as services allow. */
const RECENT = 100

/** Whoever made the form waits for this, in milliseconds. */
const SEARCH_WITHIN_MS = 3_000

/** Finds the link that a new one would have doubled. */
export interface ExistingLinks {
  /**
   * Where a create was refused because its destination is shortened already: that link, as the
   * service shows it in its refusal, or else from among the workspace's newest links. Undefined
   * where the refusal says something else, or the link is not to be found.
   */
  behind(
    error: unknown,
    workspace: Workspace,
    request: CheckedDraft,
  ): Promise<Shortlink | undefined>
}

export function createExistingLinks({
  links,
  withinMs = SEARCH_WITHIN_MS,
}: {
  links: Links
  withinMs?: number
}): ExistingLinks {
  async function recent(
    workspace: Workspace,
    { destination_url, domain }: CheckedDraft,
  ): Promise<Shortlink | undefined> {
    const { source, domains } = await links.connection(workspace)
    const wanted = domains.find(({ name }) => name === domain)
    // The deployment's own configuration names the domain record, and not its hostname.
    const isThere = (shortUrl: URL): boolean =>
      source === 'configured' || (wanted !== undefined && isOnDomain(shortUrl, wanted))
    const newest = await links.list(
      workspace,
      { per_page: RECENT, sort_by: 'most_recent', order: 'desc' },
      { signal: AbortSignal.timeout(withinMs) },
    )
    const href = URL.parse(destination_url)?.href
    return newest.links.find(
      (link) =>
        URL.parse(link.destination_url)?.href === href && isThere(new URL(link.shortlink_url)),
    )
  }

  return {
    async behind(error, workspace, request) {
      if (!(error instanceof ApiError) || error.status !== 409) return undefined
      if (conflictKind(error, request) !== 'duplicate') return undefined
      // The key may not list, or the service is slow: the refusal itself is then the answer.
      return existingLink(error) ?? recent(workspace, request).catch(() => undefined)
    },
  }
}
