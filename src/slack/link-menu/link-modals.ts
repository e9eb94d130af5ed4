import { createOperation, type Operation } from '../../port/operation.ts'
import { MADE_LINK, parseLinkPosition, parseMenuChoice } from '../block-kit/link-menu.ts'
import { decodeLink, toShownLink } from '../block-kit/shown-link.ts'
import { showClicks } from '../clicks/index.ts'
import { COMMAND } from '../ids.ts'
import { currentLink } from '../links/current-link.ts'
import { findChosenLink, findNamedLink } from '../links/find-link.ts'
import type { ShortenPlatform } from '../links/links.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { ActionRequest, CommandRequest } from '../platform/listeners.ts'
import type { Show } from '../platform/views.ts'
import { shareLink, showShareForm } from '../share/share-link.ts'
import { buildDeleteForm } from './delete-link.ts'
import { buildEditForm } from './edit-form.ts'
import { menuOrigin, showDone, TITLES } from './link-changes.ts'
import { turnLink } from './turn-link.ts'

/**
 * Does what the user chose in a link's menu. Most choices open a modal. A message would be hard to find below a long
 * list, and the Home tab has none.
 */
export async function chooseFromMenu(platform: ShortenPlatform, request: ActionRequest) {
  const { action, caller, value } = request
  const chosen = parseMenuChoice(value, action.block_id)
  const { choice, position } = chosen
  if (choice === undefined) {
    throw new SlackInputError(
      `This message is from an earlier version of Backhalf. To open the link’s current menu, type ${COMMAND} list.`,
    )
  }
  if (choice === 'off' || choice === 'on') return turnLink(platform, request, chosen)
  return openModal(platform, request, choice, async (show, operation) => {
    const read = await findChosenLink(platform, caller, chosen, operation)
    if (choice === 'clicks') return showClicks(platform, caller, read.link, show, operation)
    if (choice !== 'share') {
      return show(await FORMS[choice](platform, caller, read, menuOrigin(request, position)))
    }
    await showShareForm(platform, caller, toShownLink(read.link, platform.clock.now()), show)
  })
}

const FORMS = { edit: buildEditForm, delete: buildDeleteForm }

/** Handles `/shorten edit spring-sale` and `/shorten delete spring-sale`: finds the link and opens its modal. */
export async function openNamedLink(
  platform: ShortenPlatform,
  choice: 'edit' | 'delete',
  request: CommandRequest,
): Promise<void> {
  const { linkService } = platform
  const { caller, text } = request
  const { workspace } = caller
  await openModal(platform, request, choice, async (show, operation) => {
    const named = { command: choice, text }
    const { name } = await findNamedLink(platform, workspace, named, { operation })
    const capabilities = await linkService.requireCapabilities(workspace, `lets it ${choice} links`)
    if (!capabilities.get || !capabilities[choice === 'edit' ? 'update' : 'delete']) {
      throw new SlackInputError(
        `Backhalf can’t ${choice} this link. Its menu in ${COMMAND} list shows what Backhalf can do with it.`,
      )
    }
    const read = await linkService.get(workspace, name, { operation })
    await show(await FORMS[choice](platform, caller, read, menuOrigin(request)))
  })
}

export async function openShareForm(platform: ShortenPlatform, request: ActionRequest) {
  const { caller, value } = request
  await openModal(platform, request, 'share', async (show) => {
    const link = await currentLink(platform, caller, decodeLink(value))
    await showShareForm(platform, caller, link, show)
  })
}

async function openModal(
  platform: ShortenPlatform,
  { caller, triggerId }: Pick<ActionRequest, 'caller' | 'triggerId'>,
  choice: keyof typeof TITLES,
  build: (show: Show, operation: Operation) => Promise<void>,
): Promise<void> {
  const { permissions, views } = platform
  await views.openThenBuild(caller, { triggerId, title: TITLES[choice] }, async (show) => {
    await permissions.checkMaySee(caller)
    await build(show, createOperation(platform))
  })
}

/** Shares a link in the conversation of its message, and removes the button for that from the message. */
export async function shareInChannel(platform: ShortenPlatform, request: ActionRequest) {
  const { action, caller, target, value, messageTs } = request
  const link = await currentLink(platform, caller, decodeLink(value))
  await shareLink(platform, caller, target, link, messageTs)
  const { name = '', shortlink_url } = link
  const { changeable } = await platform.permissions.readRights(caller, [{ name, shortlink_url }])
  const mayChange = name !== '' && changeable.has(shortlink_url)
  showDone(platform, caller, {
    name: name || shortlink_url,
    origin: menuOrigin(request, parseLinkPosition(action.block_id) ?? MADE_LINK),
    after: { ...link, isChangeable: mayChange },
    notice: { text: ':white_check_mark: Shared in this conversation' },
    isShared: true,
  })
}
