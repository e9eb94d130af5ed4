import { createOperation } from '../../port/operation.ts'
import { parseMenuChoice } from '../block-kit/link-menu.ts'
import { toShownLink } from '../block-kit/shown-link.ts'
import { showClicks } from '../clicks/index.ts'
import { COMMAND } from '../ids.ts'
import { findChosenLink } from '../links/find-link.ts'
import type { ShortenPlatform } from '../links/links.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { ActionRequest } from '../platform/listeners.ts'
import { showShareForm } from '../share/share-link.ts'
import { TITLES } from './change-modals.ts'
import { askToDelete } from './delete-link.ts'
import { openEditForm } from './edit-form.ts'
import { menuOrigin } from './link-changes.ts'
import { turnLink } from './turn-link.ts'

/**
 * Does what the user chose in a link's menu. Most choices open a modal. A message would be hard to find below a long
 * list, and the Home tab has none.
 */
export async function chooseFromMenu(
  platform: ShortenPlatform,
  request: ActionRequest,
): Promise<void> {
  const { clock, permissions, views } = platform
  const { action, caller, triggerId, value } = request
  const chosen = parseMenuChoice(value, action.block_id)
  const { choice, position } = chosen
  if (choice === undefined) {
    throw new SlackInputError(
      `This message is from an earlier version of Backhalf. To open the link’s current menu, type ${COMMAND} list.`,
    )
  }
  if (choice === 'off' || choice === 'on') return turnLink(platform, request, chosen)
  return views.openThenBuild(caller, { triggerId, title: TITLES[choice] }, async (show) => {
    await permissions.checkMaySee(caller)
    const operation = createOperation(platform)
    const read = await findChosenLink(platform, caller, chosen, operation)
    switch (choice) {
      case 'edit':
        return openEditForm(platform, caller, read, menuOrigin(request, position), show)
      case 'clicks':
        return showClicks(platform, caller, read.link, show, operation)
      case 'delete':
        return askToDelete(platform, caller, read, menuOrigin(request, position), show)
      case 'share':
        return showShareForm(platform, caller, toShownLink(read.link, clock.now()), show)
    }
  })
}
