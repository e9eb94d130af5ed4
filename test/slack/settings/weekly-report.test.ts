import { beforeEach, expect } from 'vitest'
import { CHANNELS, PEOPLE } from '../../../src/simulator/workspace/seeds.ts'
import { actions, button, section } from '../../../src/slack/block-kit/elements.ts'
import { ACTIONS } from '../../../src/slack/ids.ts'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { offersDocument } from '../../support/offers-document.ts'
import { createFakeClock } from '../../support/platform.ts'
import { texts } from '../../support/texts.ts'
import { webClient } from '../../support/web-client.ts'

const LINKS = { status: 200, body: { links: [] } }

const [GENERAL = '', MARKETING = ''] = CHANNELS.map(({ id }) => id)

/** What the channel marketing, which the app is not in at first, is told. */
const SET_UP = `<@${PEOPLE[0].id}> set up weekly reports here. Every Monday at 9:00 AM (Europe/Berlin), Backhalf posts a report on the clicks of the last seven days.`

const weeklyReport = { channel: GENERAL, day: 1, hour: 9, timeZone: 'UTC', setBy: PEOPLE[0].id }

/** What the overview says without reports. */
const NONE = 'None. Backhalf can post the clicks of each week in a channel.'

const { test, slack, ana, ben, until, settings } = withAppElsewhere({
  clock: createFakeClock(),
  answers: () => LINKS,
  document: { status: 200, body: offersDocument() },
})

// Other files run in the same process, so the person gets their time zone back.
test.beforeAll(({ app: _app }) => {
  const { tz } = PEOPLE[0]
  Object.assign(PEOPLE[0], { tz: 'Europe/Berlin' })
  return () => void Object.assign(PEOPLE[0], { tz })
})
beforeEach(async () => {
  slack.workspace.parts.conversations.setAppMember(MARKETING, false)
  await settings.set({})
  await open()
})

async function open(): Promise<void> {
  await ana.opens('/shorten settings', '*Weekly report*')
}
async function openForm(): Promise<void> {
  await ana.presses('edit_weekly_report')
  await ana.seesModal('In your time zone, Europe/Berlin.')
}
const inMarketing = (): (string | undefined)[] =>
  ben.sees('marketing').flatMap(({ author, text }) => (author.kind === 'app' ? [text] : []))

test('says to invite the app, keeps the choices, and saves them once the app is in the channel', async () => {
  expect(texts(ana.modal())).toContain(NONE)
  await openForm()
  expect(ana.form()).toMatchObject({ report_day: { value: '1' }, report_hour: { value: '9' } })
  ana.fills({ Channel: 'marketing' })
  await ana.submits()
  expect(await ana.seesErrors()).toEqual({
    report_channel:
      'Backhalf can’t post in this channel yet. Type /invite @Backhalf there, then save again. If that doesn’t help, choose another channel.',
  })
  expect(ana.form()).toMatchObject({ report_channel: MARKETING })
  expect(inMarketing()).toEqual([])
  expect(slack.takeRefusals()).toHaveLength(1)

  slack.workspace.parts.conversations.setAppMember(MARKETING, true)
  await ana.submits()
  await ana.seesModal(`Every Monday at 9:00 AM (Europe/Berlin) in <#${MARKETING}>.`)
  expect(inMarketing()).toEqual([SET_UP])

  // Saving the same again tells no one.
  await openForm()
  expect(ana.form()).toMatchObject({ report_channel: MARKETING, report_hour: { value: '9' } })
  await ana.submits()
  await ana.seesModal('*Connection*')
  await openForm()
  ana.fills({ Day: 'Wednesday', Hour: '5:00 PM' })
  await ana.submits()
  await ana.seesModal('Every Wednesday at 5:00 PM (Europe/Berlin)')
  expect(inMarketing()).toHaveLength(2)
})

test.each(['channel_not_found', 'is_archived', 'restricted_action_read_only_channel'])(
  'saves nothing if Slack answers %s',
  async (error) => {
    await openForm()
    ana.fills({ Channel: 'general' })
    slack.failNext('chat.postMessage', { error })
    await ana.submits()
    expect(Object.keys(await ana.seesErrors())).toEqual(['report_channel'])
    await ana.closes()
    await ana.closes()
    await open()
    expect(texts(ana.modal())).toContain(NONE)
  },
)

test('keeps what was chosen if Slack fails', async () => {
  await openForm()
  ana.fills({ Channel: 'general', Hour: '5:00 PM' })
  slack.failNext('chat.postMessage', { error: 'internal_error' })
  await ana.submits()
  await ana.seesModal('Slack couldn’t do what Backhalf asked for.')
  expect(ana.form()).toMatchObject({ report_channel: GENERAL, report_hour: { value: '17' } })
  await ana.submits()
  await ana.seesModal(`Every Monday at 5:00 PM (Europe/Berlin) in <#${GENERAL}>.`)
})

test('stops the reports with the button in the form, and when the workspace is disconnected', async () => {
  await settings.set({ weeklyReport })
  await openForm()
  await ana.presses('Stop these reports')
  await ana.seesModal('No more weekly reports.')
  await ana.closes()
  await ana.seesModal(NONE)

  await settings.set({ weeklyReport })
  await ana.presses('Disconnect…')
  await until(() => ana.modal()?.view['submit'])
  await ana.submits()
  await ana.seesModal('is disconnected')
  await ana.closes()
  await ana.seesModal('*Connection*\\nDisconnected')
  expect(texts(ana.modal())).not.toContain('*Weekly report*')
  await ana.presses('Connect again')
  await ana.seesModal(NONE)
})

test('only admins can stop the reports with the button below a report, and a second press changes nothing', async () => {
  await settings.set({ weeklyReport })
  await ana.closesAll()
  const stop = actions([button('Stop these reports', ACTIONS.stopWeeklyReports)])
  const blocks = [section('A report'), ...stop]
  await webClient(slack.apiUrl).chat.postMessage({ channel: GENERAL, text: 'A report', blocks })

  await ben.presses('Stop these reports', { in: 'general' })
  await ben.gets('Only admins and owners of this workspace can do this. Nothing was changed.')
  await open()
  expect(texts(ana.modal())).toContain('Every Monday at 9:00 AM (UTC)')
  await ana.closesAll()
  for (const times of [1, 2]) {
    await ana.presses('Stop these reports', { in: 'general' })
    const answers = () => ana.sees('general').filter((one) => texts(one).includes('No more weekly'))
    await until(() => answers().length === times)
  }
  await open()
  expect(texts(ana.modal())).toContain(NONE)
})
