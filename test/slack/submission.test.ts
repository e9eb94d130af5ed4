import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import type { ViewResponseAction } from '@slack/bolt'
import { WebClient } from '@slack/web-api'
import { noticeModal } from '../../src/slack/blocks/notice-modal.ts'
import { answerSubmission, type Submission } from '../../src/slack/submission.ts'
import { SlackInputError } from '../../src/slack/input/slack-input-error.ts'

/** A form, what it acknowledged and the updates that it sent to Slack. */
function form(more: Partial<Submission<string>>, refusals: string[] = []) {
  const acknowledged: (ViewResponseAction | undefined)[] = []
  const updates: unknown[] = []
  const client = new WebClient()
  vi.spyOn(client.views, 'update').mockImplementation((update) => {
    updates.push(update)
    const error = refusals.shift()
    if (error === undefined) return Promise.resolve({ ok: true })
    return Promise.reject(Object.assign(new Error(error), { data: { error } }))
  })
  const submission: Submission<string> = {
    ack: (answer) => {
      acknowledged.push(answer)
      return Promise.resolve()
    },
    client,
    viewId: 'V1',
    blocks: new Map([
      ['back_half', 'back_half'],
      ['title', 'title~2'],
    ]),
    work: () => Promise.resolve('made'),
    explain: (error) => (error instanceof SlackInputError ? error.faults : [{ message: 'Down.' }]),
    waiting: noticeModal('Wait', 'Creating…'),
    redraw: (messages) => Promise.resolve(noticeModal('Again', messages.join(' '))),
    done: (value) => noticeModal('Done', value),
    closesWhenDone: true,
    logger: pino({ level: 'silent' }),
    ...more,
  }
  return { submission, acknowledged, updates }
}

const never = (): Promise<never> => new Promise(() => undefined)
const atOnce = (): Promise<void> => Promise.resolve()
/** Work that ends only after the clock has run out. */
const slow =
  <T>(end: () => Promise<T>) =>
  () =>
    new Promise((resolve) => setTimeout(resolve, 5)).then(end)

test('work that ends in time closes the form', async () => {
  const { submission, acknowledged, updates } = form({})
  expect(await answerSubmission(submission, never)).toEqual({
    ok: true,
    value: 'made',
    shown: true,
  })
  expect(acknowledged).toEqual([undefined])
  expect(updates).toEqual([])
})

test('a form that does not close turns into its result', async () => {
  const { submission, acknowledged } = form({ closesWhenDone: false })
  await answerSubmission(submission, never)
  expect(acknowledged).toEqual([{ response_action: 'update', view: noticeModal('Done', 'made') }])
})

test('faults at fields of the form are shown there', async () => {
  const faults = [
    { field: 'back_half', message: 'Taken.' },
    { field: 'title', message: 'Too long.' },
  ] as const
  const { submission, acknowledged } = form({
    work: () => Promise.reject(new SlackInputError(faults)),
  })
  expect(await answerSubmission(submission, never)).toMatchObject({ ok: false, shown: true })
  expect(acknowledged).toEqual([
    { response_action: 'errors', errors: { back_half: 'Taken.', 'title~2': 'Too long.' } },
  ])
})

test('a fault that has no field in the form brings everything to its top', async () => {
  const faults = [
    { field: 'back_half', message: 'Taken.' },
    { field: 'preview_image', message: 'Too large.' },
  ] as const
  const { submission, acknowledged } = form({
    work: () => Promise.reject(new SlackInputError(faults)),
  })
  await answerSubmission(submission, never)
  expect(acknowledged).toEqual([
    {
      response_action: 'update',
      view: noticeModal('Again', 'Back-half: Taken. Preview image: Too large.'),
    },
  ])
})

test('slow work asks for patience, then the form becomes the result', async () => {
  const { submission, acknowledged, updates } = form({ work: slow(() => Promise.resolve('late')) })
  expect(await answerSubmission(submission, atOnce)).toEqual({
    ok: true,
    value: 'late',
    shown: true,
  })
  expect(acknowledged).toEqual([
    { response_action: 'update', view: noticeModal('Wait', 'Creating…') },
  ])
  expect(updates).toEqual([{ view_id: 'V1', view: noticeModal('Done', 'late') }])
})

test('slow work that fails brings the form back, with the reason at its top', async () => {
  const { submission, updates } = form({ work: slow(() => Promise.reject(new Error('x'))) })
  expect(await answerSubmission(submission, atOnce)).toMatchObject({ ok: false, shown: true })
  expect(updates).toEqual([{ view_id: 'V1', view: noticeModal('Again', 'Down.') }])
})

test('an update never overtakes the acknowledgement', async () => {
  const { submission, acknowledged, updates } = form({ work: slow(() => Promise.resolve('late')) })
  const waits: number[] = []
  await answerSubmission(submission, (ms) => {
    waits.push(ms)
    expect(updates).toEqual([])
    return Promise.resolve()
  })
  expect(acknowledged).toHaveLength(1)
  expect(waits).toEqual([2_000, 500])
})

test('an update that Slack did not take is sent once more', async () => {
  const { submission, updates } = form({ work: slow(() => Promise.reject(new Error('x'))) }, [
    'internal_error',
  ])
  expect(await answerSubmission(submission, atOnce)).toMatchObject({ ok: false, shown: true })
  expect(updates).toHaveLength(2)
})

test('and when it takes none, whoever called is told that nobody saw the failure', async () => {
  const { submission } = form({ work: slow(() => Promise.reject(new Error('x'))) }, [
    'internal_error',
    'internal_error',
  ])
  expect(await answerSubmission(submission, atOnce)).toMatchObject({ ok: false, shown: false })
})

test('when the form was closed meanwhile, whoever called is told that nobody saw how it went', async () => {
  const failing = form({ work: slow(() => Promise.reject(new Error('x'))) }, ['not_found'])
  expect(await answerSubmission(failing.submission, atOnce)).toMatchObject({
    ok: false,
    shown: false,
  })
  const working = form({ work: slow(() => Promise.resolve('late')) }, ['not_found'])
  expect(await answerSubmission(working.submission, atOnce)).toEqual({
    ok: true,
    value: 'late',
    shown: false,
  })
})

test('what nobody foresaw goes into the log, as the person is told; a fault of theirs does not', async () => {
  const write = vi.fn()
  const failing = (error: Error): Submission<string> =>
    form({ logger: pino({ level: 'error' }, { write }), work: () => Promise.reject(error) })
      .submission
  await answerSubmission(failing(new SlackInputError([{ message: 'Mend it.' }])), never)
  expect(write).not.toHaveBeenCalled()
  await answerSubmission(failing(new TypeError('undefined is not a link')), never)
  expect(JSON.stringify(write.mock.calls)).toContain('undefined is not a link')
})
