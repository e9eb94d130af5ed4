import { z } from 'zod'
import type { Ack } from '../app/app-connection.ts'
import { checkView } from '../../playground/block-kit/check.ts'
import type { Parts } from '../../playground/parts.ts'
import { interaction } from '../app/payloads.ts'
import type { Action, ActionResult, SlackJson, ViewValues } from '../protocol.ts'
import { objects } from '../../playground/shared/json.ts'
import { viewPayload, type OpenView } from '../workspace/views.ts'
import { inputFaults } from '../../playground/person/input-faults.ts'
import { stateValues } from './input-state.ts'
import { MODAL_TROUBLE } from './failure-messages.ts'

type SubmitModal = Extract<Action, { type: 'submit_modal' }>

const answerSchema = z.discriminatedUnion('response_action', [
  z.strictObject({
    response_action: z.literal('errors'),
    errors: z.record(z.string(), z.string().min(1)),
  }),
  z.strictObject({ response_action: z.literal('update'), view: z.unknown() }),
  z.strictObject({ response_action: z.literal('push'), view: z.unknown() }),
  z.strictObject({ response_action: z.literal('clear') }),
])

/**
 * A person submits a modal. Slack's client checks the inputs first; what it finds wrong, and what
 * the app says or fails to say, is shown in the modal itself.
 */
export async function submitModal(
  parts: Parts,
  viewerId: string,
  { id, values }: SubmitModal,
): Promise<ActionResult> {
  const { views, app, files, triggers } = parts
  const open = views.modals(viewerId).at(-1)
  if (open?.id !== id) return { ok: false, message: 'This form is no longer open.' }
  if (open.view.submit === undefined || open.submitting) return { ok: true }
  const blocks = objects(open.view.blocks)
  const state = stateValues(blocks, values, { viewerId, files, baseUrl: parts.baseUrl() })
  const errors = inputFaults(blocks, state)
  if (Object.keys(errors).length > 0) {
    views.mark(open, { errors })
    return { ok: true }
  }
  views.mark(open, { errors: {}, submitting: true })
  const ack = await app.sendInteraction({
    type: 'view_submission',
    ...interaction(viewerId, app.verificationToken),
    trigger_id: triggers.issue({ viewerId, conversationId: open.conversationId }),
    view: viewPayload(open, state),
    response_urls: responseUrls(parts, viewerId, blocks, state),
  })
  views.mark(open, { submitting: false })
  if (views.modals(viewerId).includes(open)) answer(parts, open, ack)
  return { ok: true }
}

/** Addresses for the conversations that the form's `response_url_enabled` selects name. */
function responseUrls(
  parts: Parts,
  userId: string,
  blocks: SlackJson[],
  state: ViewValues,
): SlackJson[] {
  return blocks.flatMap((block) => {
    const element = block.element as SlackJson | undefined
    if (element?.response_url_enabled !== true) return []
    const held = state[String(block.block_id)]?.[String(element.action_id)]
    const conversationId = held?.selected_conversation ?? held?.selected_channel
    if (typeof conversationId !== 'string') return []
    if (!parts.conversations.seenBy(userId, conversationId)) return []
    return {
      block_id: block.block_id,
      action_id: element.action_id,
      channel_id: conversationId,
      response_url: parts.responseUrls.issue({ conversationId, userId }),
    }
  })
}

/** Does what the app's acknowledgement says, as strictly as Slack. */
function answer({ views, files, refusals }: Parts, open: OpenView, ack: Ack): void {
  const refuse = (error: string, details: string[] = []): void => {
    refusals.add('ack', error, details)
    views.mark(open, { trouble: MODAL_TROUBLE })
  }
  if (ack.kind === 'failed') return refuse('http_error', [`the app answered ${ack.status}`])
  if (ack.kind === 'timeout') return refuse('operation_timeout', ['no answer within 3 s'])
  if (ack.kind === 'unreachable') return refuse('dispatch_failed')
  if (ack.body.trim() === '') return views.close(open)
  const parsed = answerSchema.safeParse(jsonOf(ack.body))
  if (!parsed.success) return refuse('invalid_response', [z.prettifyError(parsed.error)])
  const said = parsed.data
  switch (said.response_action) {
    case 'clear':
      return views.closeAll(open.viewerId)
    case 'errors': {
      const inputs = objects(open.view.blocks).filter(({ type }) => type === 'input')
      const unknown = Object.keys(said.errors).filter((id) =>
        inputs.every(({ block_id }) => block_id !== id),
      )
      return unknown.length > 0 || Object.keys(said.errors).length === 0
        ? refuse('invalid_errors', [`errors must name input blocks; not: ${unknown.join(', ')}`])
        : views.mark(open, { errors: said.errors })
    }
    case 'update':
    case 'push': {
      const checked = checkView(said.view, 'modal', (file) => files.fault(file))
      if (!checked.ok) return refuse(checked.error, checked.messages)
      if (said.response_action === 'update') return views.update(open, checked.value)
      if (!views.push(open.viewerId, checked.value)) refuse('push_limit_reached')
    }
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
