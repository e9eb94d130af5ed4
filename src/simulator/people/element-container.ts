import { channelPayload, messagePayload } from '../app/payloads.ts'
import type { Parts } from '../parts.ts'
import type { Container, SlackJson, ViewValues } from '../protocol.ts'
import { objects } from '../shared/slack-json.ts'
import { viewPayload } from '../workspace/views.ts'

/** The message or view that contains an element which a person uses. */
interface ElementContainer {
  blocks: SlackJson[]
  values: ViewValues
  conversationId?: string
  /** The fields with which Slack describes it to the app. */
  payload: (values: ViewValues) => SlackJson
}

/** Finds a container; undefined if the person can't see it. */
export function findContainer(
  parts: Parts,
  viewerId: string,
  container: Container,
): ElementContainer | undefined {
  if (container.kind === 'message') return messageContainer(parts, viewerId, container)
  const open =
    container.kind === 'home'
      ? parts.views.home(viewerId)
      : parts.views.modals(viewerId).find(({ id }) => id === container.id)
  if (!open) return undefined
  return {
    blocks: objects(open.view.blocks),
    values: container.values,
    ...(open.conversationId !== undefined && { conversationId: open.conversationId }),
    payload: (values) => ({
      container: { type: 'view', view_id: open.id },
      view: viewPayload(open, values),
    }),
  }
}

function messageContainer(
  { conversations, messages, responseUrls }: Parts,
  viewerId: string,
  container: Extract<Container, { kind: 'message' }>,
): ElementContainer | undefined {
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
    payload: (values) => ({
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
      // Slack does not send ephemeral messages back to the app.
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

/** How Slack says whether an attachment is the app's own unfurl. */
function unfurlFields({ is_app_unfurl, app_unfurl_url }: SlackJson): SlackJson {
  return is_app_unfurl === true ? { is_app_unfurl, app_unfurl_url } : { is_app_unfurl: false }
}
