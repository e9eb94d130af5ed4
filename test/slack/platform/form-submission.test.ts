import type { ViewResponseAction, ViewSubmitAction } from '@slack/bolt'
import { expect, test, vi } from 'vitest'
import { NetworkError } from '../../../src/client/errors.ts'
import { noticeModal, problemMessage } from '../../../src/slack/block-kit/notices.ts'
import { SlackInputError } from '../../../src/slack/platform/field-errors.ts'
import { answerForm, type FormAnswer } from '../../../src/slack/platform/form-submission.ts'
import type { FormSubmission } from '../../../src/slack/platform/listeners.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'

const TARGET = { userId: 'U_ANA', responseUrl: 'https://hooks.slack.com/1' }

/** A view with inputs for the back-half and for the title, which the app has filled in twice. */
const VIEW = {
  id: 'V1',
  blocks: [
    { type: 'section', block_id: 'preview_image' },
    { type: 'input', block_id: 'back_half' },
    { type: 'input', block_id: 'title~2' },
  ],
} as unknown as ViewSubmitAction['view']

/**
 * A submitted form, with what it acknowledged and the updates that it sent to Slack.
 *
 * @param refusals Slack's error codes for the first updates
 */
function submit(form: Partial<FormAnswer<string>> = {}, refusals: string[] = []) {
  const platform = fakePlatform()
  const caller = fakeCaller()
  const acknowledged: (ViewResponseAction | undefined)[] = []
  const updates: unknown[] = []
  vi.spyOn(caller.client.views, 'update').mockImplementation((update) => {
    updates.push(update)
    const error = refusals.shift()
    if (error === undefined) return Promise.resolve({ ok: true })
    return Promise.reject(Object.assign(new Error(error), { data: { error } }))
  })
  const submission: FormSubmission = {
    caller,
    userId: 'U_ANA',
    target: TARGET,
    view: VIEW,
    ack: async (answer) => void acknowledged.push(answer),
  }
  const answer = answerForm(platform, submission, {
    work: () => Promise.resolve('made'),
    waiting: noticeModal('Wait', 'Creating…'),
    rebuild: (messages) => Promise.resolve(noticeModal('Again', messages.join(' '))),
    done: (value) => noticeModal('Done', value),
    closesWhenDone: true,
    ...form,
  })
  return { platform, acknowledged, updates, answer }
}

const inputError = new SlackInputError([{ message: 'No.' }])

/**
 * Work that ends only after the acknowledgement is due.
 *
 * @param end how it ends
 */
function slow<T>(end: () => Promise<T>): { work: () => Promise<T>; finish: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  return { work: () => promise.then(end), finish: () => resolve(undefined) }
}

/** Submits a form whose work is slow, and waits until the form shows that it is waiting. */
async function submitSlow(
  end: () => Promise<string>,
  form: Partial<FormAnswer<string>> = {},
  refusals: string[] = [],
) {
  const { work, finish } = slow(end)
  const submitted = submit({ work, ...form }, refusals)
  await submitted.platform.clock.endSleep(2_000)
  await vi.waitFor(() => expect(submitted.acknowledged).toHaveLength(1))
  finish()
  return submitted
}

test('shows all errors at the form’s top if one of them has no field in the form', async () => {
  const issues = [
    { field: 'back_half', message: 'Taken.' },
    { field: 'preview_image', message: 'Too large.' },
  ] as const
  const { answer, acknowledged } = submit({
    work: () => Promise.reject(new SlackInputError(issues)),
  })
  expect(await answer).toBeUndefined()
  expect(acknowledged).toEqual([
    {
      response_action: 'update',
      view: noticeModal('Again', 'Back-half: Taken. Preview image: Too large.'),
    },
  ])
})

test('says that a link may exist if the answer to the request for it got lost', async () => {
  const { answer, updates, platform } = await submitSlow(
    () => Promise.reject(new NetworkError('ECONNRESET', { reached: true })),
    { request: { back_half: 'promo' } },
  )
  await platform.clock.endSleep(500)
  await answer
  expect(JSON.stringify(updates)).toContain('The link may have been created anyway')
})

test('does not update the form before the acknowledgement has arrived', async () => {
  const { answer, updates, platform } = await submitSlow(async () => 'late')
  await vi.waitFor(() => expect(platform.clock.sleeping()).toEqual([500]))
  expect(updates).toEqual([])
  await platform.clock.endSleep(500)
  await answer
  expect(updates).toHaveLength(1)
})

test('sends a failure as a message if Slack accepts no update', async () => {
  const { answer, updates, platform } = await submitSlow(
    () => Promise.reject(inputError),
    { consequence: 'Nothing was saved.', typed: 'Destination: x' },
    ['internal_error'],
  )
  await platform.clock.endSleep(500)
  expect(await answer).toBeUndefined()
  expect(updates).toHaveLength(1)
  const message = problemMessage(['No.', 'Nothing was saved.'], { typed: 'Destination: x' })
  expect(platform.sent).toEqual([{ target: TARGET, message }])
  expect(platform.logged.join()).toContain('a form could not be updated')
})

test('sends a failure as a message if the form can’t be built again', async () => {
  const { answer, platform } = await submitSlow(() => Promise.reject(inputError), {
    rebuild: () => Promise.reject(new Error('the database is down')),
    typed: 'Destination: x',
  })
  await platform.clock.endSleep(500)
  expect(await answer).toBeUndefined()
  const message = problemMessage(['No.'], { typed: 'Destination: x' })
  expect(platform.sent).toEqual([{ target: TARGET, message }])
  expect(platform.logged.join()).toContain('the database is down')
})

test('returns a late result even if the view that shows it can’t be built', async () => {
  const { answer, platform } = await submitSlow(async () => 'late', {
    done: () => Promise.reject(new Error('the database is down')),
  })
  await platform.clock.endSleep(500)
  expect(await answer).toEqual({ value: 'late', isPushed: false })
})

test('sends a failure privately if everyone would see it in the thread', async () => {
  const target = { userId: 'U_ANA', threadTs: '1.0', inChannel: true }
  const { answer, platform } = await submitSlow(() => Promise.reject(inputError), { target }, [
    'not_found',
  ])
  await platform.clock.endSleep(500)
  await answer
  expect(platform.sent.map((sent) => sent.target)).toEqual([{ userId: 'U_ANA' }])
})

test('sends nothing if the user has closed the form before the result', async () => {
  const { answer, platform } = await submitSlow(async () => 'late', {}, ['not_found'])
  await platform.clock.endSleep(500)
  expect(await answer).toEqual({ value: 'late', isPushed: false })
  expect(platform.sent).toEqual([])
})

test('logs an unexpected error, but not an error in what the user typed', async () => {
  const expected = submit({ work: () => Promise.reject(inputError) })
  await expected.answer
  expect(expected.platform.logged).toEqual([])
  const error = new TypeError('undefined is not a link')
  const unexpected = submit({ work: () => Promise.reject(error) })
  await unexpected.answer
  expect(unexpected.platform.logged.join()).toContain('undefined is not a link')
  expect(JSON.stringify(unexpected.acknowledged)).toContain('Something went wrong on our side')
})
