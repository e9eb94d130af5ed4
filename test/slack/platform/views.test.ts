import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { noticeModal } from '../../../src/slack/block-kit/notices.ts'
import { createViews } from '../../../src/slack/platform/views.ts'
import { createFakeClock, fakeCaller } from '../../support/platform.ts'

const VIEW = noticeModal('Title', 'Text')

const slackError = (error: string): Error => Object.assign(new Error(error), { data: { error } })

function setUp() {
  const logged: string[] = []
  const logger = pino({}, { write: (line: string) => void logged.push(line) })
  const caller = fakeCaller()
  vi.spyOn(caller.client.views, 'open').mockResolvedValue({ ok: true, view: { id: 'V1' } })
  return { views: createViews(createFakeClock(), logger), caller, logged }
}

test('ignores a second click that would push a modal too many', async () => {
  const { views, caller } = setUp()
  vi.spyOn(caller.client.views, 'push').mockRejectedValue(slackError('push_limit_reached'))
  await expect(views.push(caller, 'trigger-1', VIEW)).resolves.toBeUndefined()
})

test('does nothing if the user has changed the view meanwhile', async () => {
  const { views, caller } = setUp()
  vi.spyOn(caller.client.views, 'update').mockRejectedValue(slackError('hash_conflict'))
  await expect(views.update(caller, { view_id: 'V1' }, VIEW)).resolves.toBe(false)
})

test('logs an unexpected error, and tells the user that something went wrong', async () => {
  const { views, caller, logged } = setUp()
  const update = vi.spyOn(caller.client.views, 'update').mockResolvedValue({ ok: true })
  const modal = { triggerId: 'trigger-1', title: 'Settings' }
  await views.openThenBuild(caller, modal, () => Promise.reject(new Error('a bug')))
  const text = 'Something went wrong on our side, and it has been logged. Please try again.'
  expect(update).toHaveBeenCalledExactlyOnceWith({
    view_id: 'V1',
    view: noticeModal('Settings', text),
  })
  expect(logged.join()).toContain('a bug')
})
