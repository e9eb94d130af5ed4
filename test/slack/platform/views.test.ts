import { WebClient, type WebClientOptions } from '@slack/web-api'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { noticeModal } from '../../../src/slack/block-kit/notices.ts'
import { boltLogger } from '../../../src/slack/platform/slack-client.ts'
import { createViews } from '../../../src/slack/platform/views.ts'
import { createFakeClock, fakeCaller } from '../../support/platform.ts'

const VIEW = noticeModal('Title', 'Text')

/**
 * Views of a Slack that gives these answers.
 *
 * @param answers Slack's error codes by method; a method without one succeeds
 */
function setUp(answers: Record<string, string> = {}) {
  const calls: { method: string; body: Record<string, unknown> }[] = []
  const logged: string[] = []
  const silent = boltLogger(pino({ level: 'silent' }))
  const options: WebClientOptions = {
    logger: silent,
    retryConfig: { retries: 0 },
    fetch: async (url, init) => {
      const method = new URL(String(url)).pathname.replace('/api/', '')
      const { view, ...form } = Object.fromEntries(new URLSearchParams(init?.body as string))
      const body = { ...form, view: JSON.parse(view ?? 'null') as unknown }
      calls.push({ method, body })
      const error = answers[method]
      if (error === 'HTTP 500') return new Response('', { status: 500 })
      const answer = error === undefined ? { ok: true, view: { id: 'V1' } } : { ok: false, error }
      return new Response(JSON.stringify(answer))
    },
  }
  const logger = pino({}, { write: (line: string) => void logged.push(line) })
  const views = createViews(createFakeClock(), logger)
  const caller = fakeCaller({ client: new WebClient('xoxb-1', options) })
  return { views, caller, calls, logged }
}

test('ignores a second click that would push a modal too many', async () => {
  const { views, caller } = setUp({ 'views.push': 'push_limit_reached' })
  await expect(views.push(caller, 'trigger-1', VIEW)).resolves.toBeUndefined()
})

test('throws if a modal can’t be pushed for another reason', async () => {
  const { views, caller } = setUp({ 'views.push': 'expired_trigger_id' })
  await expect(views.push(caller, 'trigger-1', VIEW)).rejects.toThrow('expired_trigger_id')
})

test.each(['not_found', 'hash_conflict'])(
  'does nothing if the user has closed or changed the view (%s)',
  async (error) => {
    const { views, caller } = setUp({ 'views.update': error })
    await expect(views.update(caller, { view_id: 'V1' }, VIEW)).resolves.toBe(false)
  },
)

test('throws if a view can’t be updated for another reason', async () => {
  const { views, caller } = setUp({ 'views.update': 'invalid_arguments' })
  await expect(views.update(caller, { view_id: 'V1' }, VIEW)).rejects.toThrow('invalid_arguments')
})

const MODAL = { triggerId: 'trigger-1', title: 'Settings' }

test('opens a modal at once, and then shows in it what takes longer to build', async () => {
  const { views, caller, calls } = setUp()
  await views.openThenBuild(caller, MODAL, async (show) => {
    expect(calls).toHaveLength(1)
    await show(VIEW)
    await show(noticeModal('Title', 'More'))
  })
  expect(calls).toEqual([
    {
      method: 'views.open',
      body: {
        trigger_id: 'trigger-1',
        view: noticeModal('Settings', 'One moment…'),
      },
    },
    { method: 'views.update', body: { view_id: 'V1', view: VIEW } },
    { method: 'views.update', body: { view_id: 'V1', view: noticeModal('Title', 'More') } },
  ])
})

test('logs an unexpected error, and tells the user that something went wrong', async () => {
  const { views, caller, calls, logged } = setUp()
  await views.openThenBuild(caller, MODAL, () => Promise.reject(new Error('a bug')))
  expect(calls[1]?.body.view).toEqual(
    noticeModal(
      'Settings',
      'Something went wrong on our side, and it has been logged. Please try again.',
    ),
  )
  expect(logged.join()).toContain('a bug')
})

test('builds nothing if the modal can’t be opened', async () => {
  const { views, caller, calls } = setUp({ 'views.open': 'expired_trigger_id' })
  const build = (): Promise<void> => Promise.reject(new Error('was built'))
  await expect(views.openThenBuild(caller, MODAL, build)).rejects.toThrow('expired_trigger_id')
  expect(calls).toHaveLength(1)
})
