import { expect, test } from 'vitest'
import { noticeModal } from '../../../src/slack/block-kit/notices.ts'
import { SlackInputError } from '../../../src/slack/platform/field-errors.ts'
import { openLinkForm } from '../../../src/slack/shorten/open-form.ts'
import { NotConnectedError } from '../../../src/workspaces/connection.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'

const FORM = noticeModal('Form', 'The form.')
const NOT_CONNECTED = noticeModal(
  'Shorten a link',
  [
    '*One step first*',
    'This workspace isn’t connected to a link service.',
    '• If you are an admin, type `/shorten connect`.',
    '• If you aren’t, ask an admin to do that. Then `/shorten` opens the form.',
  ].join('\n'),
)

/** Opens a form as a user who may shorten links, or may not. */
async function open(
  build: () => Promise<typeof FORM>,
  { asks = false, refusal }: { asks?: boolean; refusal?: Error } = {},
) {
  const { views, shown } = fakePlatform()
  const permission = {
    asksSlack: async () => asks,
    checkMaySee: async () => undefined,
    check: () => (refusal ? Promise.reject(refusal) : Promise.resolve()),
  }
  await openLinkForm({ views }, permission, fakeCaller(), 'trigger', build)
  return shown
}

const notConnected = () => Promise.reject(new NotConnectedError())

test('opens the form at once if Slack need not be asked', async () => {
  expect(await open(async () => FORM)).toEqual([{ how: 'open', view: FORM }])
})

test('shows the form in a waiting modal once Slack has been asked', async () => {
  expect(await open(async () => FORM, { asks: true })).toEqual([{ how: 'update', view: FORM }])
})

test('explains how to connect the workspace if it is not connected', async () => {
  expect(await open(notConnected)).toEqual([{ how: 'open', view: NOT_CONNECTED }])
  expect(await open(notConnected, { asks: true })).toEqual([{ how: 'update', view: NOT_CONNECTED }])
})

test('builds no form for a user who may not shorten links', async () => {
  const refusal = new SlackInputError([{ message: 'Guests can’t.' }])
  const build = () => Promise.reject(new Error('this must not be called'))
  await expect(open(build, { asks: true, refusal })).rejects.toBe(refusal)
})
