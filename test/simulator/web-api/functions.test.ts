import { expect, test } from 'vitest'
import { manifestSchema } from '../../../src/simulator/manifest.ts'
import { slackForEach } from '../../support/slack-for-each.ts'
import { webClient } from '../../support/web-client.ts'
import { BOT_TOKEN, projectManifest } from '../../support/workspace.ts'

const STEP = 'shorten_link'
const DESTINATION = { destination_url: 'https://example.com/page' }

const { slack, app } = slackForEach()

/** Runs the step. @returns the run's id, and the event that the app was sent */
async function run(inputs: Record<string, unknown> = DESTINATION) {
  const id = await slack.ana.runsStep(STEP, inputs)
  await expect.poll(() => app.requests.length).toBeGreaterThan(0)
  return { id, event: app.last().event as { bot_access_token: string } }
}

/** Calls a method with the token of the event. @returns the refusals */
async function call(
  event: { bot_access_token: string },
  method: 'completeSuccess' | 'completeError',
  args: Record<string, unknown>,
): Promise<string[]> {
  const web = webClient(slack.apiUrl, event.bot_access_token)
  await web.apiCall(`functions.${method}`, args).catch(() => undefined)
  return slack.takeRefusals().flatMap(({ error, details }) => [error, ...details])
}

test('sends the app a step with its inputs and its own token', async () => {
  const { id, event } = await run()
  expect(event).toEqual({
    type: 'function_executed',
    function: expect.objectContaining({ callback_id: STEP, title: 'Shorten a link' }) as unknown,
    inputs: DESTINATION,
    function_execution_id: id,
    workflow_execution_id: expect.stringMatching(/^Wx/) as unknown,
    event_ts: expect.any(String) as unknown,
    bot_access_token: expect.stringMatching(/^xwfp-/) as unknown,
  })
})

test('completes a step once, and then revokes its token', async () => {
  const { id, event } = await run()
  const outputs = { short_url: 'https://go.example.com/x' }
  const args = { function_execution_id: id, outputs }
  expect(await call(event, 'completeSuccess', args)).toEqual([])
  expect(slack.ana.stepRun(id)?.outcome).toEqual({ ok: true, outputs })
  expect(slack.ben.stepRun(id)).toBeUndefined()
  expect(await call(event, 'completeSuccess', args)).toEqual(['token_revoked'])
  const late = { function_execution_id: id, error: 'Too late.' }
  const refusals = await call({ bot_access_token: BOT_TOKEN }, 'completeError', late)
  expect(refusals).toEqual(['execution_not_in_running_state'])
})

test('fails a step with a message', async () => {
  const { id, event } = await run()
  const empty = { function_execution_id: id, error: '' }
  expect(await call(event, 'completeError', empty)).toContain('invalid_arguments')
  await call(event, 'completeError', { function_execution_id: id, error: 'The link is gone.' })
  expect(slack.ana.stepRun(id)?.outcome).toEqual({ ok: false, error: 'The link is gone.' })
})

test.each([
  [{ short_url: 7 }, 'short_url'],
  [{ short_url: 'x'.repeat(4001) }, 'at most 4000 bytes'],
  [{ short_url: 'https://go.example.com/x', shade: 'red' }, 'Unrecognized key: "shade"'],
  [{ qr_code_file: 'F1' }, '/outputs/short_url'],
])('rejects the outputs %j', async (outputs, why) => {
  const { id, event } = await run()
  const args = { function_execution_id: id, outputs }
  const [code, detail] = await call(event, 'completeSuccess', args)
  expect(code).toBe('parameter_validation_failed')
  expect(detail).toContain(why)
  expect(slack.ana.stepRun(id)?.outcome).toBeUndefined()
})

test('rejects the completion of an unknown run', async () => {
  const { event } = await run()
  const args = { function_execution_id: 'Fx0', outputs: {} }
  expect(await call(event, 'completeSuccess', args)).toEqual(['function_execution_not_found'])
})

test.each([
  ['no_such_step', DESTINATION, 'The app has no step no_such_step.'],
  [STEP, { ...DESTINATION, shade: 'red' }, 'The step has no input shade.'],
  [STEP, { title: 'Page' }, '“Destination” is required.'],
])('does not run the step %s with %j', async (callbackId, inputs, why) => {
  await expect(slack.ana.runsStep(callbackId, inputs)).rejects.toThrow(why)
})

test('rejects a manifest with steps but without function_runtime', () => {
  const manifest = projectManifest() as { settings: object }
  const without = { ...manifest.settings, function_runtime: undefined }
  expect(() => manifestSchema.parse(manifest)).not.toThrow()
  expect(() => manifestSchema.parse({ ...manifest, settings: without })).toThrow('function_runtime')
})
