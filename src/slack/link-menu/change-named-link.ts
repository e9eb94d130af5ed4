import { createOperation } from '../../port/operation.ts'
import { COMMAND } from '../ids.ts'
import { findNamedLink } from '../links/find-link.ts'
import type { ShortenPlatform } from '../links/links.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { CommandRequest } from '../platform/listeners.ts'
import { TITLES } from './change-modals.ts'
import { askToDelete } from './delete-link.ts'
import { openEditForm } from './edit-form.ts'
import { menuOrigin } from './link-changes.ts'

/** Handles `/shorten edit spring-sale` and `/shorten delete spring-sale`: finds the link and opens its modal. */
export async function openNamedLink(
  platform: ShortenPlatform,
  choice: 'edit' | 'delete',
  { caller, target, text, triggerId }: CommandRequest,
): Promise<void> {
  const { linkService, permissions, views } = platform
  const { workspace } = caller
  await views.openThenBuild(caller, { triggerId, title: TITLES[choice] }, async (show) => {
    await permissions.checkMaySee(caller)
    const operation = createOperation(platform)
    const named = { command: choice, text }
    const { name } = await findNamedLink(platform, workspace, named, { operation })
    const capabilities = await linkService.requireCapabilities(workspace, `lets it ${choice} links`)
    if (!capabilities.get || !capabilities[choice === 'edit' ? 'update' : 'delete']) {
      throw new SlackInputError(
        `Backhalf can’t ${choice} this link. Its menu in ${COMMAND} list shows what Backhalf can do with it.`,
      )
    }
    const read = await linkService.get(workspace, name, { operation })
    const open = choice === 'edit' ? openEditForm : askToDelete
    await open(platform, caller, read, menuOrigin({ target }), show)
  })
}
