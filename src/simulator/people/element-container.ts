import type { Parts } from '../../playground/parts.ts'
import { channelPayload, messagePayload } from '../app/payloads.ts'
import type { Container, SlackJson, ViewValues } from '../protocol.ts'
import { objects } from '../../playground/shared/json.ts'
import { viewPayload } from '../workspace/views.ts'

/** Where an element stands that a person uses. */
export interface Place {
  blocks: SlackJson[]
  values: ViewValues
  conversationId?: string
  describe: (values: ViewValues) => SlackJson
}

/** The place that a container names, as far as this person can reach it. */
export function placeOf(parts: Parts, viewerId: string, container: Container): Place | undefined {
  if (container.kind === 'message') return messagePlace(parts, viewerId, container)
  const open =
    container.kind === 'home'
      ? parts.views.home(viewerId)
      : parts.views.modals(viewerId).find(({ id }) => id === container.id)
  if (!open) return undefined
  return {
    blocks: objects(open.view.blocks),
    values: container.values,
    ...(open.conversationId !== undefined && { conversationId: open.conversationId }),
    describe: (values) => ({
      container: { type: 'view', view_id: open.id },
      view: viewPayload(open, values),
    }),
  }
}

function messagePlace(
  { conversations, messages, responseUrls }: Parts,
  viewerId: string,
  container: Extract<Container, { kind: 'message' }>,
): Place | undefined {
  const conversation = conversations.seenBy(viewerId, container.conversation)
  const message = messages.find(container.conversation, container.ts)
  if (!conversation || !message) return undefined
  if (message.visibleTo !== undefined && message.visibleTo !== viewerId) return undefined
  const attachment =
    container.attachment === undefined ? undefined : message.attachments?.[container.attachment]
  const blocks =
    container.attachment === undefined ? (message.blocks ?? []) : objects(attachment?.blocks)
  return {
    blocks,
    values: {},
    conversationId: conversation.id,
    describe: (values) => ({
      container: {
        type: attachment ? 'message_attachment' : 'message',
        message_ts: message.ts,
        ...(attachment && { attachment_id: attachment.id }),
        channel_id: conversation.id,
        is_ephemeral: message.ephemeral,
        ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
        ...(attachment && unfurlFields(attachment)),
      },
      channel: channelPayload(conversation),
      // Slack does not repeat an ephemeral message to the app.
      ...(!message.ephemeral && { message: messagePayload(message) }),
      state: { values },
      response_url: responseUrls.issue({
        conversationId: conversation.id,
        userId: viewerId,
        original: message.ts,
      }),
    }),
  }
}

/** What Slack says of an attachment that an app's own unfurl is; of any other, that it is none. */
function unfurlFields({ is_app_unfurl, app_unfurl_url }: SlackJson): SlackJson {
  return is_app_unfurl === true ? { is_app_unfurl, app_unfurl_url } : { is_app_unfurl: false }
}
