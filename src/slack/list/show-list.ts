import type { MessageContent } from '../block-kit/elements.ts'
import { decodeListPosition, type ListPosition } from '../block-kit/list-position.ts'
import type { Notice } from '../block-kit/notices.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller, ReplyTarget } from '../platform/caller.ts'
import type { ActionRequest } from '../platform/listeners.ts'
import type { HomeTab } from './home-tab.ts'
import { listMessage } from './list-blocks.ts'

export interface ListPlatform extends LinkPlatform {
  homeTab: HomeTab
}

export async function fetchListMessage(
  { clock, fetchList, permissions }: LinkPlatform,
  caller: Caller,
  position: ListPosition,
  notice?: Notice,
): Promise<MessageContent> {
  await permissions.checkMaySee(caller)
  const page = await fetchList(caller, position)
  const rights = await permissions.readRights(caller, page.links)
  return listMessage({ ...page, rights, now: clock.now(), notice })
}

/** Shows a part of the list in place of the one that the user pressed a button of. */
export async function showList(
  platform: ListPlatform,
  { caller, target, userId, view }: ActionRequest,
  position: ListPosition,
): Promise<void> {
  if (view) return platform.homeTab.turnTo(caller, userId, position)
  const message = await fetchListMessage(platform, caller, position)
  await platform.replies.send(caller.client, { ...target, replacesOriginal: true }, message)
}

export async function refreshListMessage(
  platform: LinkPlatform,
  caller: Caller,
  target: ReplyTarget,
  position: string,
  notice?: Notice,
): Promise<void> {
  const list = await fetchListMessage(platform, caller, decodeListPosition(position), notice)
  await platform.replies.send(caller.client, target, list)
}
