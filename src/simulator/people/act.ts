import type { Parts } from '../parts.ts'
import type { Action, ActionOf, ActionResult } from '../protocol.ts'
import { dmId, APP } from '../workspace/seeds.ts'
import { viewPayload } from '../workspace/views.ts'
import { submitModal } from './modals.ts'
import { rejected, runShortcut, type Actor } from './interactions.ts'
import { useElement } from './use-element.ts'
import { write } from './write.ts'
import { newId } from '../workspace/clock.ts'

const OK: ActionResult = { ok: true }

/** Performs a person's action. Resolves as soon as Slack would show the person a first result. */
export async function act(parts: Parts, viewerId: string, action: Action): Promise<ActionResult> {
  const actor: Actor = { ...parts, viewerId }
  switch (action.type) {
    case 'write':
      return write(actor, action)
    case 'block_action':
      return useElement(actor, action)
    case 'submit_modal':
      return submitModal(actor, action)
    case 'close_modal':
      return closeModal(actor, action.id)
    case 'global_shortcut':
    case 'message_shortcut':
      return runShortcut(actor, action)
    case 'open_home':
      return openHome(actor)
    case 'run_step':
      return runStep(actor, action)
    case 'invite_app':
      parts.conversations.setAppMember(action.conversation, action.member)
      return OK
    case 'dismiss_message':
      return dismissMessage(actor, action)
    case 'dismiss_refusals':
      parts.refusals.clear()
      return OK
  }
}

function closeModal({ views, viewerId }: Actor, id: string): ActionResult {
  const open = views.modals(viewerId).find((modal) => modal.id === id)
  if (open?.view.clear_on_close === true) views.closeAll(viewerId)
  else if (open) views.close(open)
  return OK
}

function openHome({ events, clock, views, viewerId }: Actor): ActionResult {
  const home = views.home(viewerId)
  events.send({
    type: 'app_home_opened',
    user: viewerId,
    channel: dmId(viewerId),
    tab: 'home',
    event_ts: clock.ts(),
    ...(home && { view: viewPayload(home) }),
  })
  return OK
}

function dismissMessage(
  { messages, viewerId }: Actor,
  { conversation, ts }: ActionOf<'dismiss_message'>,
): ActionResult {
  if (messages.find(conversation, ts)?.visibleTo !== viewerId) {
    return rejected('You can dismiss only messages that are visible to you alone.')
  }
  messages.remove(conversation, ts)
  return OK
}

/** The values of a step's inputs are not checked, because a workflow's variables can contain anything. */
function runStep(
  { manifest, grants, stepRuns, events, clock, viewerId }: Actor,
  { callbackId, inputs }: ActionOf<'run_step'>,
): ActionResult {
  const step = Object.hasOwn(manifest.functions, callbackId)
    ? manifest.functions[callbackId]
    : undefined
  if (!step) return rejected(`The app has no step ${callbackId}.`)
  const { properties, required } = step.input_parameters
  const unknown = Object.keys(inputs).find((name) => !Object.hasOwn(properties, name))
  if (unknown !== undefined) return rejected(`The step has no input ${unknown}.`)
  const missing = required.find((name) => (inputs[name] ?? '') === '')
  if (missing !== undefined) {
    return rejected(`“${properties[missing]?.title ?? missing}” is required.`)
  }
  const token = grants.issueStepToken()
  if (token === undefined) return rejected('The app is not installed in this workspace.')
  const id = newId('Fx')
  stepRuns.set(id, { id, callbackId, inputs, viewerId, token })
  events.send({
    type: 'function_executed',
    function: { id: 'Fn0PLAYGROUND', callback_id: callbackId, title: step.title, app_id: APP.id },
    inputs,
    function_execution_id: id,
    workflow_execution_id: newId('Wx'),
    event_ts: clock.ts(),
    bot_access_token: token,
  })
  return OK
}
