import type { Ack } from '../app/app-connection.ts'
import { channelPayload, filePayload, messagePayload } from '../app/payloads.ts'
import type { Parts } from '../parts.ts'
import type { Action, ActionResult, SlackJson } from '../protocol.ts'
import { APP, PEOPLE, TEAM } from '../workspace/seeds.ts'

export const MODAL_TROUBLE = 'We had some trouble connecting. Try again?'

export function sendInteraction(
  { app }: Parts,
  viewerId: string,
  payload: SlackJson & { type: string },
): Promise<Ack> {
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

type GlobalShortcut = Extract<Action, { type: 'global_shortcut' }>
type MessageShortcut = Extract<Action, { type: 'message_shortcut' }>

export async function runGlobalShortcut(
  parts: Parts,
  viewerId: string,
  { callbackId, conversation }: GlobalShortcut,
): Promise<ActionResult> {
  const { triggers, clock, conversations } = parts
  if (!isKnown(parts, 'global', callbackId)) return unknownShortcut(callbackId)
  const conversationId = conversation && conversations.findFor(viewerId, conversation)?.id
  const ack = await sendInteraction(parts, viewerId, {
    type: 'shortcut',
    action_ts: clock.ts(),
    callback_id: callbackId,
    trigger_id: triggers.issue({ viewerId, conversationId }),
  })
  return interactionResult(parts, ack)
}

export async function runMessageShortcut(
  parts: Parts,
  viewerId: string,
  { callbackId, conversation: conversationId, ts }: MessageShortcut,
): Promise<ActionResult> {
  const { triggers, responseUrls, clock, conversations, messages, files, baseUrl } = parts
  if (!isKnown(parts, 'message', callbackId)) return unknownShortcut(callbackId)
  const conversation = conversations.findFor(viewerId, conversationId)
  const message = messages.find(conversationId, ts)
  // Slack offers no shortcuts on ephemeral messages.
  if (!conversation || !message || message.ephemeral) {
    return rejected('Shortcuts don’t work on this message.')
  }
  const ack = await sendInteraction(parts, viewerId, {
    type: 'message_action',
    action_ts: clock.ts(),
    callback_id: callbackId,
    trigger_id: triggers.issue({ viewerId, conversationId }),
    response_url: responseUrls.issue({ conversationId, userId: viewerId }),
    channel: channelPayload(conversation),
    message_ts: ts,
    message: {
      ...messagePayload(message),
      ...(message.files && {
        files: message.files.flatMap((id) => {
          const file = files.get(id)
          return file ? [filePayload(file, baseUrl())] : []
        }),
      }),
    },
  })
  return interactionResult(parts, ack)
}

function isKnown({ manifest }: Parts, type: 'global' | 'message', callbackId: string): boolean {
  return manifest.features.shortcuts.some(
    (one) => one.type === type && one.callback_id === callbackId,
  )
}

function unknownShortcut(callbackId: string): ActionResult {
  return rejected(`The app has no shortcut ${callbackId}.`)
}
