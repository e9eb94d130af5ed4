import { createOperation } from '../../port/operation.ts'
import { within } from '../../timing/clock.ts'
import { MADE_LINK, parseLinkPosition, parseMenuChoice } from '../block-kit/link-menu.ts'
import { decodeLink, toShownLink } from '../block-kit/shown-link.ts'
import { COMMAND } from '../ids.ts'
import { currentLink } from '../links/current-link.ts'
import { findChosenLink, findNamedLink } from '../links/find-link.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { ActionRequest, CommandRequest } from '../platform/listeners.ts'
import { shareLink, showShareForm } from '../share/share-link.ts'
import { TITLES } from './change-modals.ts'
import { askToDelete } from './delete-link.ts'
import { openEditForm } from './edit-form.ts'
import { menuOrigin, type MenuPlatform } from './link-changes.ts'
import { turnLink } from './turn-link.ts'

/**
 * Shows what the user reads or fills in as a modal. Below a long list, it could be out of sight, and the Home tab has no
 * conversation.
 */
export async function chooseFromMenu(menu: MenuPlatform, request: ActionRequest): Promise<void> {
  const { clock, permissions, settings, views } = menu
  const { action, caller, triggerId, value } = request
  const chosen = parseMenuChoice(value, action.block_id)
  const { choice, position } = chosen
  if (choice === undefined) {
    throw new SlackInputError(
      `This message is from an earlier version of Backhalf. To open the link’s current menu, type ${COMMAND} list.`,
    )
  }
  if (choice === 'off' || choice === 'on') return turnLink(menu, request, chosen)
  return views.openThenBuild(caller, { triggerId, title: TITLES[choice] }, async (show) => {
    await permissions.checkMaySee(caller)
    const operation = createOperation(menu)
    const read = await findChosenLink(menu, caller, chosen, operation)
    switch (choice) {
      case 'edit':
        return openEditForm(menu, caller, read, menuOrigin(request, position), show)
      case 'clicks':
        return menu.showClicks(caller, read.link, show, operation)
      case 'delete':
        return askToDelete(menu, caller, read, menuOrigin(request, position), show)
      case 'share': {
        const { qr } = await settings.read(caller.workspace.id)
        const link = toShownLink(read.link, clock.now(), qr.color)
        return showShareForm(menu, caller, link, qr.color, show)
      }
    }
  })
}

/** The search comes before the modal opens, and a trigger lives for 3 s. */
const FIND_WITHIN_MS = 1_500

/** `/shorten edit spring-sale` and `/shorten delete spring-sale`. */
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
  // If the search takes longer, the modal shows why there is no such link.
  finding.catch(() => undefined)
  await within(clock, FIND_WITHIN_MS, finding)
  await views.openThenBuild(caller, { triggerId, title: TITLES[choice] }, async (show) => {
    const { name } = await finding
    const capabilities = await linkService.certain(workspace, `lets it ${choice} links`)
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

export async function openShareForm(
  menu: MenuPlatform,
  { caller, triggerId, value }: ActionRequest,
): Promise<void> {
  const { permissions, settings, views } = menu
  await views.openThenBuild(caller, { triggerId, title: TITLES.share }, async (show) => {
    await permissions.checkMaySee(caller)
    const link = await currentLink(menu, caller, decodeLink(value))
    const { qr } = await settings.read(caller.workspace.id)
    await showShareForm(menu, caller, link, qr.color, show)
  })
}

/** The message keeps its menu. It no longer offers to share the link in this channel. */
export async function shareInChannel(menu: MenuPlatform, request: ActionRequest): Promise<void> {
  const { action, caller, target, value, messageTs } = request
  const link = await currentLink(menu, caller, decodeLink(value))
  await shareLink(menu, caller, target, link, messageTs)
  const { name = '', shortlink_url, state } = link
  const { changeable } = await menu.permissions.readRights(caller, [{ name, shortlink_url }])
  const mayChange = name !== '' && changeable.has(shortlink_url)
  menu.changes.show(caller, {
    name,
    origin: menuOrigin(request, parseLinkPosition(action.block_id) ?? MADE_LINK),
    after: { ...link, changeable: mayChange ? { name, enabled: state !== 'off' } : undefined },
    notice: { text: ':white_check_mark: Shared in this conversation' },
    isShared: true,
  })
}
