import { z } from 'zod'
import type { Ack } from '../app/app-connection.ts'
import { checkView } from '../block-kit/check.ts'
import type { Parts } from '../parts.ts'
import type { ActionOf, ActionResult, SlackJson, ViewValues } from '../protocol.ts'
import { stateAt } from '../shared/element-state.ts'
import { objects } from '../shared/slack-json.ts'
import { json } from '../web-api/method.ts'
import { SlackRefusal } from '../workspace/refusals.ts'
import { viewPayload, type OpenView } from '../workspace/views.ts'
import { inputErrors, stateValues } from './input-state.ts'
import { MODAL_TROUBLE, rejected, sendInteraction, type Actor } from './interactions.ts'

const responseSchema = z.discriminatedUnion('response_action', [
  z.strictObject({
    response_action: z.literal('errors'),
    errors: z.record(z.string(), z.string().min(1)),
  }),
  z.strictObject({ response_action: z.literal('update'), view: z.unknown() }),
  z.strictObject({ response_action: z.literal('push'), view: z.unknown() }),
  z.strictObject({ response_action: z.literal('clear') }),
])

export async function submitModal(
  actor: Actor,
  { id, values }: ActionOf<'submit_modal'>,
): Promise<ActionResult> {
  const { viewerId, views, images, triggers, refusals } = actor
  const open = views.modals(viewerId).at(-1)
  if (open?.id !== id) return rejected('This form is no longer open.')
  if (open.view.submit === undefined || open.submitting) return { ok: true }
  const blocks = objects(open.view.blocks)
  const state = stateValues(blocks, values, actor)
  const errors = inputErrors(blocks, state)
  if (Object.keys(errors).length > 0) {
    views.setStatus(open, { errors })
    return { ok: true }
  }
  views.setStatus(open, { errors: {}, submitting: true })
  actor.changed()
  const ack = await sendInteraction(actor, {
    type: 'view_submission',
    trigger_id: triggers.issue({ viewerId, conversationId: open.conversationId }),
    view: viewPayload(open, state),
    response_urls: responseUrls(actor, blocks, state),
  })
  views.setStatus(open, { submitting: false })
  if (ack.kind === 'responded') await images.loadIn(ack.body)
  if (!views.modals(viewerId).includes(open)) return { ok: true }
  const refused = refusals.catch('ack', () => applyResponse(actor, open, ack))
  if (refused) views.setStatus(open, { trouble: MODAL_TROUBLE })
  return { ok: true }
}

function responseUrls(actor: Actor, blocks: SlackJson[], state: ViewValues): SlackJson[] {
  const { viewerId: userId, conversations, responseUrls } = actor
  return blocks.flatMap((block) => {
    const element = block.element as SlackJson | undefined
    if (element?.response_url_enabled !== true) return []
    const conversationId = stateAt(state, block.block_id, element)?.selected_conversation
    if (typeof conversationId !== 'string') return []
    if (!conversations.findFor(userId, conversationId)) return []
    return {
      block_id: block.block_id,
      action_id: element.action_id,
      channel_id: conversationId,
      response_url: responseUrls.issue({ conversationId, userId }),
    }
  })
}

function applyResponse({ views, pictures }: Parts, open: OpenView, ack: Ack): void {
  if (ack.kind === 'failed') {
    throw new SlackRefusal('http_error', [`the app returned ${ack.status}`])
  }
  if (ack.kind === 'timeout') {
    throw new SlackRefusal('operation_timeout', ['no response within 3 s'])
  }
  if (ack.kind === 'unreachable') throw new SlackRefusal('dispatch_failed')
  if (ack.body.trim() === '') return views.close(open)
  const parsed = json(responseSchema).safeParse(ack.body)
  if (!parsed.success) throw new SlackRefusal('invalid_response', [z.prettifyError(parsed.error)])
  const response = parsed.data
  if (response.response_action === 'errors') {
    const inputs = objects(open.view.blocks).filter(({ type }) => type === 'input')
    const blockIds = Object.keys(response.errors)
    const unknownIds = blockIds.filter((id) => inputs.every(({ block_id }) => block_id !== id))
    if (unknownIds.length > 0 || blockIds.length === 0) {
      const detail = `errors must name input blocks, not: ${unknownIds.join(', ')}`
      throw new SlackRefusal('invalid_errors', [detail])
    }
    return views.setStatus(open, { errors: response.errors })
  }
  if (response.response_action === 'clear') return views.closeAll(open.viewerId)
  const view = checkView(response.view, 'modal', pictures)
  if (response.response_action === 'update') return views.update(open, view)
  if (!views.push(open.viewerId, view)) throw new SlackRefusal('push_limit_reached')
}
