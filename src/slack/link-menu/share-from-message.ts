import { MADE_LINK, parseLinkPosition } from '../block-kit/link-menu.ts'
import { decodeLink } from '../block-kit/shown-link.ts'
import { currentLink } from '../links/current-link.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { ActionRequest } from '../platform/listeners.ts'
import { shareLink, showShareForm } from '../share/share-link.ts'
import { TITLES } from './change-modals.ts'
import { menuOrigin, showDone } from './link-changes.ts'

export async function openShareForm(
  platform: ShortenPlatform,
  { caller, triggerId, value }: ActionRequest,
): Promise<void> {
  const { permissions, views } = platform
  await views.openThenBuild(caller, { triggerId, title: TITLES.share }, async (show) => {
    await permissions.checkMaySee(caller)
    const link = await currentLink(platform, caller, decodeLink(value))
    await showShareForm(platform, caller, link, show)
  })
}

/** Shares a link in the conversation of its message, and removes the button for that from the message. */
export async function shareInChannel(
  platform: ShortenPlatform,
  request: ActionRequest,
): Promise<void> {
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
