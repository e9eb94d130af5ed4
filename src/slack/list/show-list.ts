import type { ListPosition } from '../block-kit/list-position.ts'
import type { Notice } from '../block-kit/notices.ts'
import { fetchList } from '../links/link-lists.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller, ReplyTarget } from '../platform/caller.ts'
import { listMessage } from './list-blocks.ts'

export async function sendList(
  platform: LinkPlatform,
  caller: Caller,
  target: ReplyTarget,
  position: ListPosition,
  notice?: Notice,
): Promise<void> {
  const { clock, permissions, replies } = platform
  await permissions.checkMaySee(caller)
  const page = await fetchList(platform, caller, position)
  const rights = await permissions.readRights(caller, page.links)
  const message = listMessage({ ...page, rights, now: clock.now(), notice })
  await replies.send(caller.client, target, message)
}
