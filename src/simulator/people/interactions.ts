import type { Ack } from '../app/app-connection.ts'
import { channelPayload, filePayload, messagePayload } from '../app/payloads.ts'
import type { Parts } from '../parts.ts'
import type { ActionOf, ActionResult, SlackJson } from '../protocol.ts'
import { APP, PEOPLE, TEAM } from '../workspace/seeds.ts'

export interface Actor extends Parts {
  viewerId: string
}

export const MODAL_TROUBLE = 'We had some trouble connecting. Try again?'

export function sendInteraction(
  { app, viewerId }: Actor,
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

export async function runGlobalShortcut(
  actor: Actor,
  { callbackId, conversation }: ActionOf<'global_shortcut'>,
): Promise<ActionResult> {
  const { viewerId, triggers, clock, conversations } = actor
  if (!isKnown(actor, 'global', callbackId)) return unknownShortcut(callbackId)
  const conversationId = conversation && conversations.findFor(viewerId, conversation)?.id
  const ack = await sendInteraction(actor, {
    type: 'shortcut',
    action_ts: clock.ts(),
    callback_id: callbackId,
    trigger_id: triggers.issue({ viewerId, conversationId }),
  })
  return interactionResult(actor, ack)
}

export async function runMessageShortcut(
  actor: Actor,
  { callbackId, conversation: conversationId, ts }: ActionOf<'message_shortcut'>,
): Promise<ActionResult> {
  const { viewerId, triggers, responseUrls, clock, conversations, messages, files } = actor
  if (!isKnown(actor, 'message', callbackId)) return unknownShortcut(callbackId)
  const conversation = conversations.findFor(viewerId, conversationId)
  const message = messages.find(conversationId, ts)
  // Slack offers no shortcuts on ephemeral messages.
  if (!conversation || !message || message.ephemeral) {
    return rejected('Shortcuts don’t work on this message.')
  }
  const ack = await sendInteraction(actor, {
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
          return file ? [filePayload(file, actor.baseUrl())] : []
        }),
      }),
    },
  })
  return interactionResult(actor, ack)
}

function isKnown({ manifest }: Parts, type: 'global' | 'message', callbackId: string): boolean {
  return manifest.features.shortcuts.some(
    (one) => one.type === type && one.callback_id === callbackId,
  )
}

function unknownShortcut(callbackId: string): ActionResult {
  return rejected(`The app has no shortcut ${callbackId}.`)
}
