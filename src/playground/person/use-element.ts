import type { Parts } from '../parts.ts'
import { interaction } from '../../simulator/app/payloads.ts'
import type { Action, ActionResult, SlackJson, ViewValues } from '../../simulator/protocol.ts'
import { objects } from '../shared/json.ts'
import { placeOf } from '../../simulator/people/element-container.ts'
import { keepsState, valueField } from '../shared/element-state.ts'
import { elementState, findElement, stateValues } from '../../simulator/people/input-state.ts'
import { interactionFailure, MODAL_TROUBLE } from '../../simulator/people/failure-messages.ts'

type BlockAction = Extract<Action, { type: 'block_action' }>

const GONE: ActionResult = { ok: false, message: 'This is no longer here.' }

/** A person presses a button, or chooses from a menu, in a message, a modal or the Home tab. */
export async function useElement(
  parts: Parts,
  viewerId: string,
  { container, blockId, element: used }: BlockAction,
): Promise<ActionResult> {
  const place = placeOf(parts, viewerId, container)
  const found = place && findElement(place.blocks, blockId, used.action_id)
  if (!found) return GONE
  const { block, element } = found
  // What is typed or chosen in an input goes with the form, unless the app asked to hear of it.
  if (block.type === 'input' && block.dispatch_action !== true) return { ok: true }
  const context = { viewerId, files: parts.files, baseUrl: parts.baseUrl() }
  const outcome = outcomeOf(element, used, context)
  if (!outcome) return { ok: false, message: 'This choice is not offered.' }
  const values: ViewValues = { ...place.values }
  if (keepsState(element)) {
    values[blockId] = { ...values[blockId], [String(element.action_id)]: outcome }
  }
  const ack = await parts.app.sendInteraction({
    type: 'block_actions',
    ...interaction(viewerId, parts.app.verificationToken),
    trigger_id: parts.triggers.issue({ viewerId, conversationId: place.conversationId }),
    ...place.describe(stateValues(place.blocks, values, context)),
    actions: [
      {
        ...withoutChoices(element),
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

/** What came of using an element; undefined where it does not offer that. */
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
  if (!keepsState(element)) return undefined
  const state = elementState(element, used, context)
  // Outside of an input, a menu with one choice can't be emptied.
  const isMenu = /^(?!multi_)\w+_select$/.test(String(element.type))
  if (isMenu && Object.keys(state).every((field) => field === 'type' || !state[field])) {
    return undefined
  }
  const chosen = state[valueField(element) ?? '']
  if (Array.isArray(chosen) && chosen.length > Number(element.max_selected_items ?? Infinity)) {
    return undefined
  }
  const isOffered = Object.entries(state).every(
    ([field, held]) => field === 'type' || isSame(held, used[field]),
  )
  return isOffered ? state : undefined
}

/** Whether an element has kept all that was put into it: it drops what it does not offer. */
function isSame(held: unknown, put: unknown): boolean {
  return Array.isArray(held) && Array.isArray(put)
    ? held.length === put.length
    : (held ?? null) === (put === '' ? null : (put ?? null))
}

/** Slack repeats an element to the app, but not all that could have been chosen. */
function withoutChoices(element: SlackJson): SlackJson {
  const choices = ['options', 'option_groups']
  return Object.fromEntries(Object.entries(element).filter(([field]) => !choices.includes(field)))
}
