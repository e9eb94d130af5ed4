import { createOperation, type Operation } from '../../port/operation.ts'
import { readCurrent } from '../links/current-link.ts'
import { findNamedLink } from '../links/find-link.ts'
import type { ListLink } from '../links/link-lists.ts'
import type { LinkPlatform, Links } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import type { ClickedLink } from './click-blocks.ts'

type CountedClicks = Pick<ClickedLink, 'clicks' | 'total'>

export async function readClicks(
  { linkService }: Pick<Links, 'linkService'>,
  { workspace }: Caller,
  link: ListLink,
  operation: Operation,
): Promise<CountedClicks> {
  const { clicks: isOffered } = await linkService.requireCapabilities(workspace, 'reports clicks')
  if (!isOffered) return { total: link.clicks }
  return { clicks: await linkService.clicks(workspace, link.name, { operation }) }
}

export async function readNamedClicks(
  platform: LinkPlatform,
  caller: Caller,
  text: string,
): Promise<{ link: ListLink; counted: CountedClicks }> {
  const { clock, linkService, permissions } = platform
  await permissions.checkMaySee(caller)
  const { workspace } = caller
  const operation = createOperation({ clock })
  const { clicks: isOffered } = await linkService.capabilities(workspace)
  const named = { command: 'clicks', text }
  const found = await findNamedLink(platform, workspace, named, { operation, counts: !isOffered })
  const [counted, read] = await Promise.all([
    readClicks(platform, caller, found, operation),
    // A link from our own record might have changed since, and the record doesn't say whether the link is on.
    found.enabled === undefined ? readCurrent(platform, workspace, found.name) : undefined,
  ])
  return { link: typeof read === 'object' ? read : found, counted }
}
