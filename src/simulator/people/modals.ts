import { z } from 'zod'
import type { Ack } from '../app/app-connection.ts'
import { checkView } from '../block-kit/check.ts'
import type { Parts } from '../parts.ts'
import type { Action, ActionResult, SlackJson, ViewValues } from '../protocol.ts'
import { objects } from '../shared/slack-json.ts'
import { json } from '../web-api/method.ts'
import { viewPayload, type OpenView } from '../workspace/views.ts'
import { inputErrors, stateValues } from './input-state.ts'
import { MODAL_TROUBLE, rejected, sendInteraction } from './interactions.ts'

type SubmitModal = Extract<Action, { type: 'submit_modal' }>

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
  parts: Parts,
  viewerId: string,
  { id, values }: SubmitModal,
): Promise<ActionResult> {
  const { views, files, images, triggers } = parts
  const open = views.modals(viewerId).at(-1)
  if (open?.id !== id) return rejected('This form is no longer open.')
  if (open.view.submit === undefined || open.submitting) return { ok: true }
  const blocks = objects(open.view.blocks)
  const state = stateValues(blocks, values, { viewerId, files, baseUrl: parts.baseUrl() })
  const errors = inputErrors(blocks, state)
  if (Object.keys(errors).length > 0) {
    views.mark(open, { errors })
    return { ok: true }
  }
  views.mark(open, { errors: {}, submitting: true })
  parts.changed()
  const ack = await sendInteraction(parts, viewerId, {
    type: 'view_submission',
    trigger_id: triggers.issue({ viewerId, conversationId: open.conversationId }),
    view: viewPayload(open, state),
    response_urls: responseUrls(parts, viewerId, blocks, state),
  })
  views.mark(open, { submitting: false })
  if (ack.kind === 'responded') await images.loadIn(ack.body)
  if (views.modals(viewerId).includes(open)) applyResponse(parts, open, ack)
  return { ok: true }
}

function responseUrls(
  parts: Parts,
  userId: string,
  blocks: SlackJson[],
  state: ViewValues,
): SlackJson[] {
  return blocks.flatMap((block) => {
    const element = block.element as SlackJson | undefined
    if (element?.response_url_enabled !== true) return []
    const selected = state[String(block.block_id)]?.[String(element.action_id)]
    const conversationId = selected?.selected_conversation
    if (typeof conversationId !== 'string') return []
    if (!parts.conversations.findFor(userId, conversationId)) return []
    return {
      block_id: block.block_id,
      action_id: element.action_id,
      channel_id: conversationId,
      response_url: parts.responseUrls.issue({ conversationId, userId }),
    }
  })
}

function applyResponse({ views, files, images, refusals }: Parts, open: OpenView, ack: Ack): void {
  const reject = (error: string, details: string[] = []): void => {
    refusals.add('ack', error, details)
    views.mark(open, { trouble: MODAL_TROUBLE })
  }
  if (ack.kind === 'failed') return reject('http_error', [`the app returned ${ack.status}`])
  if (ack.kind === 'timeout') return reject('operation_timeout', ['no response within 3 s'])
  if (ack.kind === 'unreachable') return reject('dispatch_failed')
  if (ack.body.trim() === '') return views.close(open)
  const parsed = json(responseSchema).safeParse(ack.body)
  if (!parsed.success) return reject('invalid_response', [z.prettifyError(parsed.error)])
  const response = parsed.data
  if (response.response_action === 'errors') {
    const inputs = objects(open.view.blocks).filter(({ type }) => type === 'input')
    const unknown = Object.keys(response.errors).filter((id) =>
      inputs.every(({ block_id }) => block_id !== id),
    )
    return unknown.length > 0 || Object.keys(response.errors).length === 0
      ? reject('invalid_errors', [`errors must name input blocks, not: ${unknown.join(', ')}`])
      : views.mark(open, { errors: response.errors })
  }
  if (response.response_action === 'clear') return views.closeAll(open.viewerId)
  const checked = checkView(response.view, 'modal', files.check, images.check)
  if (!checked.ok) return reject(checked.error, checked.messages)
  if (response.response_action === 'update') return views.update(open, checked.value)
  if (!views.push(open.viewerId, checked.value)) reject('push_limit_reached')
}
