import { expect, test } from 'vitest'
import { noticeModal } from '../../src/slack/blocks/notice-modal.ts'
import { createViewOpener } from '../../src/slack/view-opener.ts'
import { BOT_TOKEN, startSimulatedWorkspace } from '../support/workspace.ts'

test('a modal for which an impatient click left no room is no failure; any other is', async () => {
  const { apiUrl, failNext, close } = await startSimulatedWorkspace()
  const views = createViewOpener({ slackApiUrl: apiUrl })
  const push = () => views.push(BOT_TOKEN, 'a trigger', noticeModal('Title', 'Text'))
  failNext('views.push', { error: 'push_limit_reached' })
  await expect(push()).resolves.toBeUndefined()
  failNext('views.push', { error: 'expired_trigger_id' })
  await expect(push()).rejects.toThrow('expired_trigger_id')
  await close()
})
