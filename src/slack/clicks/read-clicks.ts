import type { LinkClicks } from '../../contract/extension-calls.ts'
import { createOperation, type Operation } from '../../port/operation.ts'
import { readCurrent } from '../links/current-link.ts'
import { findNamedLink } from '../links/find-link.ts'
import type { ListLink } from '../links/link-lists.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'

export interface CountedLink {
  link: ListLink
  clicks?: LinkClicks // Absent if the link service doesn't say when links were clicked.
  total?: number | undefined // Shown instead of `clicks`. Absent if the service doesn't count clicks.
}

export async function readClicks(
  { linkService }: LinkPlatform,
  { workspace }: Caller,
  link: ListLink,
  operation: Operation,
): Promise<CountedLink> {
  const { clicks: isOffered } = await linkService.requireCapabilities(workspace, 'reports clicks')
  if (!isOffered) return { link, total: link.clicks }
  return { link, clicks: await linkService.clicks(workspace, link.name, { operation }) }
}

export async function readNamedClicks(
  platform: LinkPlatform,
  caller: Caller,
  text: string,
): Promise<CountedLink> {
  const { linkService, permissions } = platform
  await permissions.checkMaySee(caller)
  const { workspace } = caller
  const operation = createOperation(platform)
  const { clicks: isOffered } = await linkService.capabilities(workspace)
  const named = { command: 'clicks', text }
  const found = await findNamedLink(platform, workspace, named, { operation, counts: !isOffered })
  const [counted, read] = await Promise.all([
    readClicks(platform, caller, found, operation),
    // A link from our own record might have changed since, and the record doesn't say whether the link is on.
    found.enabled === undefined ? readCurrent(platform, workspace, found.name) : undefined,
  ])
  return typeof read === 'object' ? { ...counted, link: read } : counted
}
