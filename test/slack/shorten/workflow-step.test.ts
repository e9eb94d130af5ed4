import { WebAPIRateLimitedError } from '@slack/web-api'
import { expect, test, vi } from 'vitest'
import { runStep, type StepExecution } from '../../../src/slack/shorten/workflow-step.ts'
import { fakeCaller, fakeShortenPlatform } from '../../support/platform.ts'

const CALLER = fakeCaller({ userId: undefined })
const LINK = {
  name: 'lnk_1',
  shortlink_url: 'https://go.example.com/x',
  destination_url: 'https://example.com',
}

function setUp({
  create = vi.fn(() => Promise.resolve(LINK)),
  inputs = { destination_url: 'https://example.com' },
}: { create?: () => Promise<typeof LINK>; inputs?: unknown } = {}) {
  const platform = fakeShortenPlatform(create)
  const { clock, logged } = platform
  const complete = vi.fn(() => Promise.resolve({ ok: true }))
  const fail = vi.fn(() => Promise.resolve({ ok: true }))
  const hasBeenCalled = (): boolean => false
  const execution: StepExecution = {
    event: { function_execution_id: 'Fx1', inputs } as StepExecution['event'],
    complete: Object.assign(complete, { hasBeenCalled }),
    fail: Object.assign(fail, { hasBeenCalled }),
  }
  const run = (): Promise<void> => runStep(platform, CALLER, execution)
  return { run, create, complete, fail, clock, logged }
}

test('gives up after Slack has asked it to wait for minutes, and names the link', async () => {
  const { run, complete, fail, clock } = setUp()
  complete.mockRejectedValue(new WebAPIRateLimitedError(30))
  const done = run()
  for (let wait = 0; wait < 10; wait++) await clock.endSleep(30_000)
  await done
  expect(fail.mock.calls).toEqual([
    [
      {
        error:
          'The short link https://go.example.com/x was created, but Slack didn’t accept it as the step’s result.',
      },
    ],
  ])
})

test('runs if Slack sends no inputs', async () => {
  const { run, fail } = setUp({ inputs: null })
  await run()
  expect(JSON.stringify(fail.mock.calls)).toContain('Enter the link that you want to shorten.')
})

test('explains an unexpected error to the workflow and logs it', async () => {
  const create = vi.fn(() => Promise.reject(new TypeError('undefined is not a link')))
  const { run, fail, logged } = setUp({ create })
  await run()
  expect(fail.mock.calls).toEqual([
    [{ error: 'Something went wrong on our side, and it has been logged. Please try again.' }],
  ])
  expect(logged.join('')).toContain('undefined is not a link')
})

test('logs that Slack could not be told the outcome, and runs again only then', async () => {
  const { run, create, complete, fail, logged } = setUp()
  complete.mockRejectedValueOnce(slackError('parameter_validation_failed'))
  fail.mockRejectedValueOnce(slackError('invalid_arguments'))
  await run()
  expect(logged.join('')).toContain('the failure could not be reported to the workflow')
  await run()
  expect(complete).toHaveBeenCalledTimes(2)
  await run()
  expect(create).toHaveBeenCalledTimes(2)
})

function slackError(error: string): Error {
  return Object.assign(new Error(error), { data: { ok: false, error } })
}
