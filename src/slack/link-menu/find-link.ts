import type { Act } from '../../client/act.ts'
import type { ReadLink } from '../../client/link-client.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { LinkService } from '../platform/link-service.ts'
import { findListedLink } from './find-listed-link.ts'
import { isWholeName, type MenuChoice } from './menu.ts'

/**
 * Finds the link that the user chose: with one call if the link service offers it, or else in the list.
 *
 * @param act what this is part of
 * @throws SlackInputError or LinkGoneError if it is gone; LinkServiceError, NotConnectedError
 */
export async function findLink(
  linkService: LinkService,
  workspace: Workspace,
  choice: Pick<MenuChoice, 'key' | 'position'>,
  act: Act,
): Promise<ReadLink> {
  if (isWholeName(choice.key) && (await linkService.offersSoon(workspace)).get) {
    return linkService.get(workspace, choice.key, { act })
  }
  return { link: await findListedLink(linkService, workspace, choice, act) }
}
