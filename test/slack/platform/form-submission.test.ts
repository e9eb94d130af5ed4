import type { ViewSubmitAction } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import { expect, test, vi } from 'vitest'
import { NetworkError } from '../../../src/port/failures.ts'
import { section } from '../../../src/slack/block-kit/elements.ts'
import { textInput } from '../../../src/slack/block-kit/inputs.ts'
import { noticeModal, problemMessage } from '../../../src/slack/block-kit/notices.ts'
import {
  fieldErrorText,
  SlackInputError,
  withFieldErrors,
  type FieldError,
} from '../../../src/slack/platform/field-errors.ts'
import { answerForm, type FormAnswer } from '../../../src/slack/platform/form-submission.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'

const TARGET = { userId: 'U_ANA', responseUrl: 'https://hooks.slack.com/1' }
const IN_THREAD = { userId: 'U_ANA', threadTs: '1.0', inChannel: true }

const FORM = {
  waiting: 'Creating…',
  rebuild: (issues: readonly FieldError[]) =>
    Promise.resolve(noticeModal('Again', issues.map(fieldErrorText).join(' '))),
  done: (value: string) => noticeModal('Done', value),
  closesWhenDone: true,
}

/**
 * Submits a form whose work is slow, and ends the work after the form shows that it is waiting. Returns the answer, and
 * the platform with what the user and the log got.
 *
 * @param refusals Slack's error codes for the first updates
 */
async function submitSlow(form: Partial<FormAnswer<string>>, refusals: string[] = []) {
  const platform = fakePlatform()
  const caller = fakeCaller()
  vi.spyOn(caller.client.views, 'update').mockImplementation(() => {
    const error = refusals.shift()
    if (error === undefined) return Promise.resolve({ ok: true })
    return Promise.reject(Object.assign(new Error(error), { data: { error } }))
  })
  const acknowledged = Promise.withResolvers<undefined>()
  const submission = {
    caller,
    userId: 'U_ANA',
    target: TARGET,
    view: { id: 'V1', title: { text: 'Wait' } } as ViewSubmitAction['view'],
    ack: async () => acknowledged.resolve(undefined),
  }
  const { work = async () => 'late', ...rest } = form
  const answer = answerForm(platform, submission, {
    ...FORM,
    work: () => acknowledged.promise.then(work),
    ...rest,
  })
  await platform.clock.endSleep(2_000)
  await platform.clock.endSleep(500)
  return { answered: await answer, platform }
}

const inputError = () => Promise.reject(new SlackInputError([{ message: 'No.' }]))
const lost = () => Promise.reject(new NetworkError('ECONNRESET', { reached: true }))
const down = () => Promise.reject(new Error('the database is down'))

test.each<[string, Partial<FormAnswer<string>>, string[], string[], object]>([
  [
    'Slack accepts no update',
    { work: lost, consequence: 'Look.' },
    ['internal_error'],
    ['The link service can’t be reached right now. Try again in a minute.', 'Look.'],
    TARGET,
  ],
  ['the form can’t be built again', { rebuild: down }, [], ['No.'], TARGET],
  [
    'the form is closed, but not to a thread that everyone sees',
    { target: IN_THREAD },
    ['not_found'],
    ['No.'],
    { userId: 'U_ANA' },
  ],
])('sends a failure as a message if %s', async (_when, form, refusals, texts, target) => {
  const typed = 'Destination: x'
  const { answered, platform } = await submitSlow({ work: inputError, typed, ...form }, refusals)
  expect(answered).toBe(false)
  expect(platform.sent).toEqual([{ target, message: problemMessage(texts, { typed }) }])
})

test.each<[string, Partial<FormAnswer<string>>, string[]]>([
  ['the view that shows it can’t be built', { done: down }, []],
  ['the user has closed the form', {}, ['not_found']],
])('returns a late result and sends nothing if %s', async (_when, form, refusals) => {
  const { answered, platform } = await submitSlow(form, refusals)
  expect(answered).toBe(true)
  expect(platform.sent).toEqual([])
})

test('logs an unexpected error, but not an error in what the user typed', async () => {
  const expected = await submitSlow({ work: inputError })
  expect(expected.platform.logged).toEqual([])
  const unexpected = await submitSlow({ work: down })
  expect(unexpected.platform.logged.join()).toContain('the database is down')
})

/** Submits a form with these blocks, in which these errors are found, and returns the acknowledgement. */
async function refuse(blocks: ModalView['blocks'], issues: readonly FieldError[]) {
  const view = { id: 'V1', blocks } as ViewSubmitAction['view']
  const ack = vi.fn<(answer: unknown) => Promise<void>>(async () => undefined)
  const submission = { caller: fakeCaller(), userId: 'U_ANA', target: TARGET, view, ack }
  const work = () => Promise.reject(new SlackInputError(issues))
  await answerForm(fakePlatform(), submission, { ...FORM, work })
  return ack.mock.calls[0]?.[0]
}

const TAKEN = { field: 'back_half', message: 'Taken.' } as const
const PAGE_INPUTS = [textInput('destination_url', 'x'), textInput('back_half', 'taken')]

test('builds the form again if the field of an error has no input there', async () => {
  const issues = [TAKEN, { field: 'preview_image', message: 'Too large.' }] as const
  const blocks = [{ ...section('Image kept'), block_id: 'preview_image~1' }, ...PAGE_INPUTS]
  const again = noticeModal('Again', 'Back-half: Taken. Preview image: Too large.')
  expect(await refuse(blocks, issues)).toEqual({ response_action: 'update', view: again })
})

test.each<[string, FieldError[]]>([
  ['at an input', [{ field: 'destination_url', message: 'This isn’t a link.' }]],
  ['at the top', [{ message: 'The link service can’t be reached.' }]],
])('builds the form again to remove an outdated warning %s', async (_where, outdated) => {
  const blocks = withFieldErrors(PAGE_INPUTS, [...outdated, TAKEN])
  const again = noticeModal('Again', 'Back-half: Taken.')
  expect(await refuse(blocks, [TAKEN])).toEqual({ response_action: 'update', view: again })
})

test('lets Slack show errors at their inputs if every warning in the form still applies', async () => {
  const errors = { back_half: 'Taken.' }
  expect(await refuse(PAGE_INPUTS, [TAKEN])).toEqual({ response_action: 'errors', errors })
  const blocks = withFieldErrors(PAGE_INPUTS, [TAKEN])
  expect(await refuse(blocks, [TAKEN])).toEqual({ response_action: 'errors', errors })
})
