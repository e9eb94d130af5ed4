import type { MessageContent } from '../block-kit/elements.ts'
import type { ListPosition } from '../block-kit/list-position.ts'
import type { Notice } from '../block-kit/notices.ts'
import { fetchList } from '../links/link-lists.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { listMessage } from './list-blocks.ts'

export async function fetchListMessage(
  platform: LinkPlatform,
  caller: Caller,
  position: ListPosition,
  notice?: Notice,
): Promise<MessageContent> {
  const { clock, permissions } = platform
  await permissions.checkMaySee(caller)
  const page = await fetchList(platform, caller, position)
  const rights = await permissions.readRights(caller, page.links)
  return listMessage({ ...page, rights, now: clock.now(), notice })
}
