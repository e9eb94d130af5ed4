import { newId } from '../workspace/clock.ts'
import type { Parts } from '../parts.ts'
import type { Action, ActionResult } from '../protocol.ts'
import { APP } from '../workspace/seeds.ts'
import { rejected } from './interactions.ts'

type RunStep = Extract<Action, { type: 'run_step' }>

/** Passes the values on unchecked, because a workflow's variable can contain anything. */
export function runStep(
  { manifest, grants, team, stepRuns, events, clock }: Parts,
  viewerId: string,
  { callbackId, inputs }: RunStep,
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
  const token = grants.issueStepToken(team)
  if (token === undefined) return rejected('The app is not installed in this workspace.')
  const id = newId('Fx')
  const event = {
    type: 'function_executed',
    function: { id: 'Fn0PLAYGROUND', callback_id: callbackId, title: step.title, app_id: APP.id },
    inputs,
    function_execution_id: id,
    workflow_execution_id: newId('Wx'),
    event_ts: clock.ts(),
    bot_access_token: token,
  }
  stepRuns.begin({ id, callbackId, inputs, viewerId, token, event })
  events.send(event)
  return { ok: true }
}
