import type { MessageContent } from '../block-kit/elements.ts'
import type { ListPosition } from '../block-kit/list-position.ts'
import type { Notice } from '../block-kit/notices.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
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
