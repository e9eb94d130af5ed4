import type { CreateRequest } from '../../contract/link-requests.ts'
import { backHalfOf } from '../../port/links.ts'
import type { DomainRecord } from '../../workspaces/connection.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { SEARCH_LENGTH } from '../block-kit/list-position.ts'
import type { WorkspaceLinkService } from '../links/workspace-link-service.ts'
import { findDomain } from './draft.ts'

const SEARCH_WITHIN_MS = 1_500
const MATCHES = 100

/** Finds the short URL of a link whose back-half differs only in case. Never rejects, because it is only a hint. */
export async function findLookalike(
  linkService: WorkspaceLinkService,
  workspace: Workspace,
  domains: readonly DomainRecord[],
  { domain, back_half: backHalf = '' }: Pick<Partial<CreateRequest>, 'domain' | 'back_half'>,
): Promise<string | undefined> {
  const host = (findDomain(domain, domains) ?? domains[0])?.domain_name ?? ''
  const q = `${host}/${backHalf}`
  if (!/[a-z]/i.test(backHalf) || q.length > SEARCH_LENGTH.max) return undefined
  try {
    const { search, isMetered } = await linkService.capabilities(workspace)
    if (!search || isMetered) return undefined
    const signal = AbortSignal.timeout(SEARCH_WITHIN_MS)
    const { links } = await linkService.list(workspace, { q, per_page: MATCHES }, { signal })
    const found = links.find((link) => {
      const other = backHalfOf(link)
      const isAlike = other !== backHalf && other.toLowerCase() === backHalf.toLowerCase()
      return isAlike && new URL(link.shortlink_url).host === host.toLowerCase()
    })
    return found?.shortlink_url
  } catch {
    return undefined
  }
}

export function lookalikeText(other: string): string {
  return `${other} differs only in upper and lower case, and leads elsewhere. On a poster, both look the same.`
}
