import { createOperation } from '../../port/operation.ts'
import { within } from '../../timing/clock.ts'
import { COMMAND } from '../ids.ts'
import { findNamedLink } from '../links/find-link.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { CommandRequest } from '../platform/listeners.ts'
import { TITLES } from './change-modals.ts'
import { askToDelete } from './delete-link.ts'
import { openEditForm } from './edit-form.ts'
import { menuOrigin, type MenuPlatform } from './link-changes.ts'

// How long the search can delay the modal. The trigger that opens it expires after 3 s.
const FIND_WITHIN_MS = 1_500

/** Handles `/shorten edit spring-sale` and `/shorten delete spring-sale`: finds the link and opens its modal. */
export async function openNamedLink(
  menu: MenuPlatform,
  choice: 'edit' | 'delete',
  { caller, target, text, triggerId }: CommandRequest,
): Promise<void> {
  const { clock, linkService, permissions, views } = menu
  const { workspace } = caller
  const operation = createOperation(menu)
  const finding = permissions
    .checkMaySee(caller)
    .then(() => findNamedLink(menu, workspace, { command: choice, text }, { operation }))
  // If the search fails within this time, its error is sent as a message. After that, the modal shows the error.
  finding.catch(() => undefined)
  await within(clock, FIND_WITHIN_MS, finding)
  await views.openThenBuild(caller, { triggerId, title: TITLES[choice] }, async (show) => {
    const { name } = await finding
    const capabilities = await linkService.requireCapabilities(workspace, `lets it ${choice} links`)
    if (!capabilities.get || !capabilities[choice === 'edit' ? 'update' : 'delete']) {
      throw new SlackInputError(
        `Backhalf can’t ${choice} this link. Its menu in ${COMMAND} list shows what Backhalf can do with it.`,
      )
    }
    const read = await linkService.get(workspace, name, { operation })
    const open = choice === 'edit' ? openEditForm : askToDelete
    await open(menu, caller, read, menuOrigin({ target }), show)
  })
}
