import { WebAPIRateLimitedError } from '@slack/web-api'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import type { Caller } from '../../src/slack/caller.ts'
import { createWorkflowStep, type StepExecution } from '../../src/slack/workflow-step.ts'

const CALLER = { workspace: { id: 'T1' } } as Caller
const LINK = {
  shortlink: { shortlink_url: 'https://go.example.com/x', destination_url: 'https://example.com' },
  utm: {},
}

function setUp({ shorten = vi.fn(() => Promise.resolve(LINK)) } = {}) {
  const logged = vi.fn()
  const pause = vi.fn(() => Promise.resolve())
  const step = createWorkflowStep({
    shortener: { shorten },
    qrPictures: { picture: () => Promise.resolve(undefined) },
    logger: pino({ level: 'error' }, { write: logged }),
    pause,
  })
  const complete = vi.fn(() => Promise.resolve({ ok: true }))
  const fail = vi.fn(() => Promise.resolve({ ok: true }))
  const hasBeenCalled = (): boolean => false
  const execution: StepExecution = {
    id: 'Fx1',
    inputs: { destination_url: 'https://example.com' },
    complete: Object.assign(complete, { hasBeenCalled }),
    fail: Object.assign(fail, { hasBeenCalled }),
  }
  return { step, execution, shorten, complete, fail, pause, logged }
}

test('where Slack asks for patience, the answer waits for as long as it says', async () => {
  const { step, execution, complete, fail, pause } = setUp()
  complete.mockRejectedValueOnce(new WebAPIRateLimitedError(30))
  await step.run(CALLER, execution)
  expect(pause.mock.calls).toEqual([[30_000]])
  expect(complete).toHaveBeenCalledTimes(2)
  expect(fail).not.toHaveBeenCalled()
})

test('what nobody foresaw is told to the workflow in words, and is in the log', async () => {
  const shorten = vi.fn(() => Promise.reject(new TypeError('undefined is not a link')))
  const { step, execution, fail, logged } = setUp({ shorten })
  await step.run(CALLER, execution)
  expect(fail.mock.calls).toEqual([
    [{ error: 'Something went wrong on our side, and it has been noted. Please try again.' }],
  ])
  expect(JSON.stringify(logged.mock.calls)).toContain('undefined is not a link')
})

test('an execution that Slack has ended meanwhile is left at that', async () => {
  const { step, execution, complete, fail, logged } = setUp()
  complete.mockRejectedValueOnce(slackError('execution_not_in_running_state'))
  await step.run(CALLER, execution)
  expect(fail).not.toHaveBeenCalled()
  expect(logged).not.toHaveBeenCalled()
})

test('one that could not be told runs again when Slack tells of it again; any other does not', async () => {
  const { step, execution, shorten, complete, fail } = setUp()
  complete.mockRejectedValueOnce(slackError('fatal_error'))
  fail.mockRejectedValueOnce(slackError('fatal_error'))
  await step.run(CALLER, execution)
  await step.run(CALLER, execution)
  expect(complete).toHaveBeenCalledTimes(2)
  await step.run(CALLER, execution)
  expect(shorten).toHaveBeenCalledTimes(2)
})

function slackError(error: string): Error {
  return Object.assign(new Error(error), { data: { ok: false, error } })
}
