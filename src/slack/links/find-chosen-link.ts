import type { Operation } from '../../client/operation.ts'
import type { ReadLink } from '../../client/link-client.ts'
import type { Caller } from '../platform/caller.ts'
import type { Platform } from '../platform/platform.ts'
import { findListedLink } from './find-listed-link.ts'
import { isWholeName, type MenuChoice } from '../block-kit/link-menu.ts'

/**
 * Finds the link that the user chose, as the link service shows it alone if it offers that, or else in the list. The
 * list also leads to a link whose menu doesn't hold its name.
 *
 * @param operation what this is part of
 * @throws SlackInputError or LinkGoneError if it is gone; LinkServiceError, NotConnectedError
 */
export async function findLink(
  platform: Pick<Platform, 'linkLists' | 'linkService'>,
  caller: Pick<Caller, 'workspace' | 'userId'>,
  choice: Pick<MenuChoice, 'key' | 'position'>,
  operation: Operation,
): Promise<ReadLink> {
  const { linkService } = platform
  const { workspace } = caller
  const { get: isOffered } = await linkService.offersSoon(workspace)
  if (isOffered && isWholeName(choice.key))
    return linkService.get(workspace, choice.key, { operation })
  const link = await findListedLink(platform, caller, choice, operation)
  return isOffered ? linkService.get(workspace, link.name, { operation }) : { link }
}
