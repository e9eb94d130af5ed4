import { interactionPayload } from '../app/payloads.ts'
import type { Parts } from '../parts.ts'
import type { Action, ActionResult, SlackJson, ViewValues } from '../protocol.ts'
import { hasState, valueField } from '../shared/element-state.ts'
import { objects } from '../shared/slack-json.ts'
import { findContainer } from './element-container.ts'
import { interactionFailure, MODAL_TROUBLE } from './failure-messages.ts'
import { elementState, findElement, stateValues } from './input-state.ts'

type BlockAction = Extract<Action, { type: 'block_action' }>

const GONE: ActionResult = { ok: false, message: 'This message or form has changed.' }

/** Presses a button or selects from a menu in a message, a modal or the Home tab. */
export async function useElement(
  parts: Parts,
  viewerId: string,
  { container, blockId, element: used }: BlockAction,
): Promise<ActionResult> {
  const found = findContainer(parts, viewerId, container)
  const placed = found && findElement(found.blocks, blockId, used.action_id)
  if (!placed) return GONE
  const { block, element } = placed
  // An input's value is sent with the form, unless the app has set `dispatch_action`.
  if (block.type === 'input' && block.dispatch_action !== true) return { ok: true }
  const context = { viewerId, files: parts.files, baseUrl: parts.baseUrl() }
  const outcome = outcomeOf(element, used, context)
  if (!outcome) return { ok: false, message: 'This option isn’t available.' }
  const values: ViewValues = { ...found.values }
  if (hasState(element)) {
    values[blockId] = { ...values[blockId], [String(element.action_id)]: outcome }
  }
  const ack = await parts.app.sendInteraction({
    type: 'block_actions',
    ...interactionPayload(viewerId, parts.app.verificationToken),
    trigger_id: parts.triggers.issue({ viewerId, conversationId: found.conversationId }),
    ...found.payload(stateValues(found.blocks, values, context)),
    actions: [
      {
        ...withoutOptions(element),
        ...outcome,
        block_id: blockId,
        action_ts: parts.clock.ts(),
      },
    ],
  })
  const failure = interactionFailure(parts.manifest.display_information.name, ack)
  if (failure === undefined) return { ok: true }
  const modal = container.kind === 'modal' ? parts.views.find({ id: container.id }) : undefined
  if (!modal) return { ok: false, message: failure }
  parts.views.mark(modal, { trouble: MODAL_TROUBLE })
  return { ok: true }
}

/** An element's state after it was used; undefined if the element does not offer it. */
function outcomeOf(
  element: SlackJson,
  used: SlackJson,
  context: Parameters<typeof elementState>[2],
): SlackJson | undefined {
  if (element.type === 'button') return { type: 'button' }
  if (element.type === 'overflow') {
    const chosen = used.selected_option as { value?: unknown } | undefined
    const option = objects(element.options).find(({ value }) => value === chosen?.value)
    return option && { type: 'overflow', selected_option: option }
  }
  const field = valueField(element)
  if (field === undefined) return undefined
  const state = elementState(element, used, context)
  // A menu outside of an input block can't be cleared.
  const isMenu = /_select$/.test(String(element.type))
  if (isMenu && !state[field]) return undefined
  return isUnchanged(state[field], used[field]) ? state : undefined
}

/** Whether an element accepted the whole value: it drops options that it does not offer. */
function isUnchanged(accepted: unknown, given: unknown): boolean {
  return Array.isArray(accepted) && Array.isArray(given)
    ? accepted.length === given.length
    : (accepted ?? null) === (given === '' ? null : (given ?? null))
}

/** Slack sends the element back to the app, but not its options. */
function withoutOptions(element: SlackJson): SlackJson {
  const options = ['options', 'option_groups']
  return Object.fromEntries(Object.entries(element).filter(([field]) => !options.includes(field)))
}
