import { MADE_LINK, parseLinkPosition } from '../block-kit/link-menu.ts'
import { decodeLink, type ShownLink } from '../block-kit/shown-link.ts'
import { currentLink } from '../links/current-link.ts'
import type { Caller } from '../platform/caller.ts'
import type { ActionRequest } from '../platform/listeners.ts'
import { shareLink, showShareForm } from '../share/share-link.ts'
import { TITLES } from './change-modals.ts'
import { menuOrigin } from './changed-link.ts'
import type { MenuPlatform } from './link-changes.ts'

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
  const { name = '' } = link
  const position = parseLinkPosition(action.block_id) ?? MADE_LINK
  menu.changes.show(caller, {
    name,
    origin: menuOrigin(request, position),
    after: await withChangeable(menu, caller, link),
    notice: { text: ':white_check_mark: Shared in this conversation' },
    isShared: true,
  })
}

async function withChangeable(
  { permissions }: MenuPlatform,
  caller: Caller,
  link: ShownLink,
): Promise<ShownLink> {
  const { name, shortlink_url, state } = link
  if (name === undefined) return link
  const { changeable } = await permissions.readRights(caller, [{ name, shortlink_url }])
  const mayChange = changeable.has(shortlink_url)
  return { ...link, changeable: mayChange ? { name, enabled: state !== 'off' } : undefined }
}
