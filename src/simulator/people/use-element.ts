import type { ActionOf, ActionResult, Container, SlackJson, ViewValues } from '../protocol.ts'
import { stateFields, withState } from '../shared/element-state.ts'
import { objects, placedElements } from '../shared/slack-json.ts'
import { asObject } from '../../values/unknown-values.ts'
import { messagePayload } from '../workspace/messages.ts'
import { channelPayload } from '../workspace/seeds.ts'
import { viewPayload } from '../workspace/views.ts'
import { elementState, stateValues, type StateContext } from './input-state.ts'
import {
  interactionResult,
  MODAL_TROUBLE,
  rejected,
  sendInteraction,
  type Actor,
} from './interactions.ts'

export async function useElement(
  actor: Actor,
  { container, values: entered, blockId, element: sent }: ActionOf<'block_action'>,
): Promise<ActionResult> {
  const { viewerId, views, triggers, clock } = actor
  const surface = findContainer(actor, container)
  const placed =
    surface &&
    placedElements(surface.blocks).find(
      ({ block, element }) => block.block_id === blockId && element.action_id === sent.action_id,
    )
  if (!placed) return rejected('This message or form has changed.')
  const { block, element } = placed
  // The value of an input is sent later, with the form.
  if (block.type === 'input') return { ok: true }
  const outcome = elementOutcome(element, sent, actor)
  if (!outcome) return rejected('This option isn’t available.')
  // Menus in messages start with their initial options each time.
  const earlier = container.kind === 'message' ? {} : entered
  const values = stateFields(element) ? withState(earlier, blockId, element, outcome) : earlier
  // Slack sends the element to the app without its options.
  const { options: _, ...withoutOptions } = element
  const ack = await sendInteraction(actor, {
    type: 'block_actions',
    trigger_id: triggers.issue({ viewerId, conversationId: surface.conversationId }),
    ...surface.payload(stateValues(surface.blocks, values, actor)),
    actions: [{ ...withoutOptions, ...outcome, block_id: blockId, action_ts: clock.ts() }],
  })
  const result = interactionResult(actor, ack)
  const modal = container.kind === 'modal' ? views.find(container.id) : undefined
  if (result.ok || !modal) return result
  views.setStatus(modal, { trouble: MODAL_TROUBLE })
  return { ok: true }
}

function elementOutcome(element: SlackJson, sent: SlackJson, context: StateContext) {
  if (element.type === 'button') return { type: 'button' }
  if (element.type === 'overflow') {
    const chosen = asObject(sent.selected_option).value
    const option = objects(element.options).find(({ value }) => value === chosen)
    return option && { type: 'overflow', selected_option: option }
  }
  const field = stateFields(element)?.field
  if (field === undefined) return undefined
  // Choices that the element does not offer are left out of the state.
  const state = elementState(element, sent, context)
  // A menu outside of an input block can't be cleared.
  if (/_select$/.test(String(element.type)) && !state[field]) return undefined
  return isComplete(state[field], sent[field]) ? state : undefined
}

function isComplete(accepted: unknown, sent: unknown): boolean {
  if (Array.isArray(accepted) && Array.isArray(sent)) return accepted.length === sent.length
  const isEmpty = sent === undefined || sent === ''
  return accepted === (isEmpty ? null : sent)
}

interface ElementContainer {
  blocks: SlackJson[]
  conversationId: string | undefined
  payload: (values: ViewValues) => SlackJson
}

function findContainer(actor: Actor, container: Container): ElementContainer | undefined {
  const { views, viewerId } = actor
  if (container.kind === 'message') return messageContainer(actor, container)
  const open =
    container.kind === 'home'
      ? views.home(viewerId)
      : views.modals(viewerId).find(({ id }) => id === container.id)
  if (!open) return undefined
  return {
    blocks: objects(open.view.blocks),
    conversationId: open.conversationId,
    payload: (values) => ({
      container: { type: 'view', view_id: open.id },
      view: viewPayload(open, values),
    }),
  }
}

function messageContainer(
  { conversations, messages, responseUrls, viewerId }: Actor,
  container: Extract<Container, { kind: 'message' }>,
): ElementContainer | undefined {
  const conversation = conversations.findFor(viewerId, container.conversation)
  const message = messages.find(container.conversation, container.ts)
  if (!conversation || !message) return undefined
  if (message.visibleTo !== undefined && message.visibleTo !== viewerId) return undefined
  return {
    blocks: message.blocks ?? [],
    conversationId: conversation.id,
    payload: (values) => ({
      container: {
        type: 'message',
        message_ts: message.ts,
        channel_id: conversation.id,
        is_ephemeral: message.ephemeral,
        ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
      },
      channel: channelPayload(conversation),
      // Slack does not send ephemeral messages back to the app.
      ...(!message.ephemeral && { message: messagePayload(message) }),
      state: { values },
      response_url: responseUrls.issue({
        conversationId: conversation.id,
        userId: viewerId,
        originalTs: message.ts,
      }),
    }),
  }
}
