import type { Parts } from '../parts.ts'
import { channelPayload, messagePayload } from '../app/payloads.ts'
import type { Action, ActionResult } from '../protocol.ts'
import { interactionResult, sendInteraction } from './interactions.ts'

type GlobalShortcut = Extract<Action, { type: 'global_shortcut' }>
type MessageShortcut = Extract<Action, { type: 'message_shortcut' }>

/** Runs one of the app's global shortcuts, from the search or the composer's menu. */
export async function runGlobalShortcut(
  parts: Parts,
  viewerId: string,
  { callbackId, conversation }: GlobalShortcut,
): Promise<ActionResult> {
  const { triggers, clock, conversations } = parts
  if (!isKnown(parts, 'global', callbackId)) return unknownShortcut(callbackId)
  const conversationId = conversation && conversations.seenBy(viewerId, conversation)?.id
  const ack = await sendInteraction(parts, viewerId, {
    type: 'shortcut',
    action_ts: clock.ts(),
    callback_id: callbackId,
    trigger_id: triggers.issue({ viewerId, conversationId }),
  })
  return interactionResult(parts, ack)
}

/** Runs one of the app's shortcuts on a message. */
export async function runMessageShortcut(
  parts: Parts,
  viewerId: string,
  { callbackId, conversation: conversationId, ts }: MessageShortcut,
): Promise<ActionResult> {
  const { triggers, responseUrls, clock, conversations, messages } = parts
  if (!isKnown(parts, 'message', callbackId)) return unknownShortcut(callbackId)
  const conversation = conversations.seenBy(viewerId, conversationId)
  const message = messages.find(conversationId, ts)
  // Slack offers no shortcuts on ephemeral messages.
  if (!conversation || !message || message.ephemeral) {
    return { ok: false, message: 'Shortcuts don’t work on this message.' }
  }
  const ack = await sendInteraction(parts, viewerId, {
    type: 'message_action',
    action_ts: clock.ts(),
    callback_id: callbackId,
    trigger_id: triggers.issue({ viewerId, conversationId }),
    response_url: responseUrls.issue({ conversationId, userId: viewerId }),
    channel: channelPayload(conversation),
    message_ts: ts,
    message: messagePayload(message),
  })
  return interactionResult(parts, ack)
}

function isKnown({ manifest }: Parts, type: 'global' | 'message', callbackId: string): boolean {
  return manifest.features.shortcuts.some(
    (one) => one.type === type && one.callback_id === callbackId,
  )
}

function unknownShortcut(callbackId: string): ActionResult {
  return { ok: false, message: `The app has no shortcut ${callbackId}.` }
}
