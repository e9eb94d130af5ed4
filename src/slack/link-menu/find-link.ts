import type { Act } from '../../client/act.ts'
import type { ReadLink } from '../../client/link-client.ts'
import type { Caller } from '../platform/caller.ts'
import type { Platform } from '../platform/platform.ts'
import { findListedLink } from './find-listed-link.ts'
import { isWholeName, type MenuChoice } from './menu.ts'

/**
 * Finds the link that the user chose: with one call if the link service offers it, or else in the list.
 *
 * @param act what this is part of
 * @throws SlackInputError or LinkGoneError if it is gone; LinkServiceError, NotConnectedError
 */
export async function findLink(
  platform: Pick<Platform, 'linkLists' | 'linkService'>,
  caller: Pick<Caller, 'workspace' | 'userId'>,
  choice: Pick<MenuChoice, 'key' | 'position'>,
  act: Act,
): Promise<ReadLink> {
  const { linkService } = platform
  const { workspace } = caller
  if (isWholeName(choice.key) && (await linkService.offersSoon(workspace)).get) {
    return linkService.get(workspace, choice.key, { act })
  }
  return { link: await findListedLink(platform, caller, choice, act) }
}
