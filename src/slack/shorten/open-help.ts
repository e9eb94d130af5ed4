import type { KnownBlock } from '@slack/types'
import { SPECIFICATION } from '../../port/capabilities.ts'
import { readOnlyModal } from '../block-kit/notices.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { ActionRequest, CommandRequest } from '../platform/listeners.ts'
import { helpMessage, helpTopics } from './help.ts'

export async function sendHelp(
  { linkService, replies }: LinkPlatform,
  { caller, target }: CommandRequest,
  shown: { unknown?: string; pageLinks: readonly KnownBlock[] },
): Promise<void> {
  const can = await linkService.capabilities(caller.workspace).catch(() => SPECIFICATION)
  await replies.send(caller.client, target, helpMessage(can, shown))
}

export async function openHelpTopic(
  { linkService, views }: LinkPlatform,
  { action, caller, triggerId }: ActionRequest,
): Promise<void> {
  const can = await linkService.capabilities(caller.workspace).catch(() => SPECIFICATION)
  const topic = helpTopics(can).find(({ id }) => id === action.action_id)
  if (topic) await views.open(caller, triggerId, readOnlyModal(topic.title, topic.blocks))
}
