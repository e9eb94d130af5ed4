import { createOperation, type Operation } from '../../port/operation.ts'
import { readCurrent } from '../links/current-link.ts'
import { findNamedLink, type FoundLink } from '../links/find-link.ts'
import type { Links } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import type { Platform } from '../platform/platform.ts'
import type { ClickedLink } from './click-blocks.ts'

/** A link's clicks as far as the link service knows them. */
export type CountedClicks = Pick<ClickedLink, 'clicks' | 'total'>

/** @throws SlackInputError if it is unknown whether the service counts clicks; LinkServiceError, NotConnectedError */
export async function readClicks(
  { linkService }: Pick<Links, 'linkService'>,
  { workspace }: Caller,
  found: FoundLink,
  operation: Operation,
): Promise<CountedClicks> {
  const { clicks: isOffered } = await linkService.certain(workspace, 'reports clicks')
  if (!isOffered) return { total: found.clicks }
  return { clicks: await linkService.clicks(workspace, found.name, { operation }) }
}

/**
 * Finds a link by its short URL or back-half, and reads its clicks.
 *
 * @throws SlackInputError if the caller may not see links, or if there is no such link; LinkServiceError, NotConnectedError
 */
export async function readNamedClicks(
  platform: Platform & Links,
  caller: Caller,
  text: string,
): Promise<{ link: FoundLink; counted: CountedClicks }> {
  const { clock, linkService, permissions } = platform
  await permissions.checkMaySee(caller)
  const { workspace } = caller
  const operation = createOperation({ clock })
  const { clicks: isOffered } = await linkService.capabilities(workspace)
  const named = { command: 'clicks', text }
  const found = await findNamedLink(platform, workspace, named, { operation, counts: !isOffered })
  const [counted, read] = await Promise.all([
    readClicks(platform, caller, found, operation),
    // Our record may be older, and doesn't know whether the link is on.
    found.enabled === undefined ? readCurrent(platform, workspace, found.name) : undefined,
  ])
  return { link: typeof read === 'object' ? read : found, counted }
}
