import type { Ack } from '../app/app-connection.ts'
import type { Parts } from '../parts.ts'
import type { ActionOf, ActionResult, Conversation, SlackJson } from '../protocol.ts'
import { filePayload } from '../workspace/files.ts'
import { messagePayload } from '../workspace/messages.ts'
import { APP, channelPayload, PEOPLE, TEAM } from '../workspace/seeds.ts'

export interface Actor extends Parts {
  viewerId: string
}

export const MODAL_TROUBLE = 'We had some trouble connecting. Try again?'

export function sendInteraction({ app, viewerId }: Actor, payload: SlackJson & { type: string }) {
  const name = PEOPLE.find(({ id }) => id === viewerId)?.name ?? ''
  return app.sendInteraction({
    team: { id: TEAM.id, domain: TEAM.domain },
    user: { id: viewerId, username: name, name, team_id: TEAM.id },
    api_app_id: APP.id,
    token: app.verificationToken,
    enterprise: null,
    is_enterprise_install: false,
    ...payload,
  })
}

export function interactionResult({ manifest }: Parts, ack: Ack): ActionResult {
  const { name } = manifest.display_information
  switch (ack.kind) {
    case 'responded':
      return { ok: true }
    case 'timeout':
      return rejected(`${name} did not respond.`)
    case 'failed':
      return rejected(`${name} responded with the status code ${ack.status}.`)
    case 'unreachable':
      return rejected(`${name} could not be reached.`)
  }
}

export function rejected(message: string): ActionResult {
  return { ok: false, message }
}

export async function runShortcut(
  actor: Actor,
  action: ActionOf<'global_shortcut' | 'message_shortcut'>,
): Promise<ActionResult> {
  const { viewerId, triggers, clock, conversations, manifest } = actor
  const { callbackId } = action
  const type = action.type === 'global_shortcut' ? 'global' : 'message'
  const shortcuts = manifest.features.shortcuts.filter((shortcut) => shortcut.type === type)
  if (shortcuts.every(({ callback_id: id }) => id !== callbackId)) {
    return rejected(`The app has no shortcut ${callbackId}.`)
  }
  const conversation = conversations.findFor(viewerId, action.conversation ?? '')
  const payload =
    action.type === 'global_shortcut'
      ? { type: 'shortcut' }
      : messageAction(actor, conversation, action.ts)
  if (!payload) return rejected('Shortcuts don’t work on this message.')
  const ack = await sendInteraction(actor, {
    action_ts: clock.ts(),
    callback_id: callbackId,
    trigger_id: triggers.issue({ viewerId, conversationId: conversation?.id }),
    ...payload,
  })
  return interactionResult(actor, ack)
}

function messageAction(
  { viewerId, responseUrls, messages, files, baseUrl }: Actor,
  conversation: Conversation | undefined,
  ts: string,
) {
  const message = conversation && messages.find(conversation.id, ts)
  // Slack offers no shortcuts on ephemeral messages.
  if (!message || message.ephemeral) return undefined
  const sharedFiles = message.files?.map((id) => files.get(id)).filter((file) => file !== undefined)
  return {
    type: 'message_action',
    response_url: responseUrls.issue({ conversationId: conversation.id, userId: viewerId }),
    channel: channelPayload(conversation),
    message_ts: ts,
    message: {
      ...messagePayload(message),
      ...(sharedFiles && { files: sharedFiles.map((file) => filePayload(file, baseUrl())) }),
    },
  }
}
