import { expect } from 'vitest'
import { texts } from '../../support/texts.ts'
import { withApp } from '../../support/fixtures.ts'

const { test, ana, ben, settings, slack } = withApp()
const modal = (who = ana): string => texts(who.modal())

test('an alert is set up from the list, edited and stopped there', async () => {
  await ana.asks('/shorten https://example.com/a first tags=spring qr=off', { for: '/first|' })
  await ana.opens('/shorten alerts', 'There are no alerts yet.')
  await ana.presses('New alert')
  await ana.seesModal('Tell me when')
  ana.fills({
    'Which links': 'tag',
    Name: 'Spring',
    When: 'in_a_day',
    Number: '1,000',
    'Post in': 'general',
  })
  await ana.submits()
  await ana.seesModal('Backhalf checks every few minutes.')
  await ben.gets(
    'set up an alert. Backhalf posts here when the links with the tag *Spring* together',
  )
  await ana.closes()
  await ana.seesModal('get more than 1,000 clicks in a day')
  expect(modal()).toMatch(/Sent to <#\w+> {2}·  set up by <@U0ANAMARTINS>/)

  await ana.chooses('Edit')
  await ana.seesModal('Tell me when')
  expect(JSON.stringify(ana.form())).toContain('"value":"tag"')
  expect(JSON.stringify(ana.form())).toContain('"alert_name":"Spring"')
  ana.fills({ When: 'no_clicks', Number: '7' })
  await ana.submits()
  await ana.seesModal('get no clicks for 7 days after getting some')
  await ana.closes()
  await ana.chooses('Stop')
  await ana.seesModal('There are no alerts yet.')
})

test('what can’t work is said at its field', async () => {
  await ana.asks('/shorten https://example.com/b second tags=summer qr=off', { for: '/second|' })
  await ana.opens('/shorten alerts', 'New alert')
  await ana.presses('New alert')
  await ana.seesModal('Tell me when')
  ana.fills({ 'Which links': 'tag', Name: 'sumer', When: 'in_a_day', Number: 'many' })
  await ana.submits()
  expect(await ana.seesErrors()).toEqual({
    alert_number: 'Enter a whole number from 1 to 1,000,000,000 (clicks), such as 100.',
  })
  ana.fills({ Number: '5' })
  await ana.submits()
  expect(await ana.seesErrors()).toEqual({
    alert_name: 'No link has this tag. Did you mean “summer”?',
  })
  ana.fills({ 'Which links': 'link', Name: 'nowhere' })
  await ana.submits()
  expect(Object.values(await ana.seesErrors())[0]).toContain('Backhalf can’t find nowhere')
  ana.fills({ Name: 'second', 'Post in': 'marketing' })
  await ana.submits()
  expect(Object.values(await ana.seesErrors())[0]).toContain('Type /invite @Backhalf there')
  slack.takeRefusals()
  ana.fills({ 'Post in': 'general' })
  await ana.submits()
  await ana.seesModal('Backhalf posts in <#C0GENERAL000> when')
  await ana.closes()
  await ana.seesModal('/second> gets more than 5 clicks in a day')
})

test('Alert me in a link’s menu and below a report starts with what they are about', async () => {
  const made = await ana.asks('/shorten https://example.com/c third utm_campaign=c1 qr=off', {
    for: '/third|',
  })
  expect(texts(made)).toContain('/third')
  await ana.chooses('Clicks, alert me…', { in: 'general' })
  await ana.seesModal('slack_file')
  await ana.presses('Alert me')
  await ana.seesModal('Tell me when')
  expect(JSON.stringify(ana.form())).toContain('"value":"link"')
  expect(JSON.stringify(ana.form())).toContain('/third"')
  ana.fills({ When: 'changes' })
  await ana.submits()
  await ana.seesModal('changes its destination, is turned off or is deleted')
  await ana.closes()
  await ana.seesModal('Clicks on')
  await ana.closesAll()

  await ana.asks('/shorten report c1', { for: 'Clicks on campaign' })
  await ana.presses('Alert me', { in: 'general' })
  await ana.seesModal('Tell me when')
  expect(JSON.stringify(ana.form())).toContain('"value":"campaign"')
  expect(JSON.stringify(ana.form())).toContain('"alert_name":"c1"')
})

test('members see and stop their own alerts, admins all of them, and everybody if everybody can change links', async () => {
  await ben.opens('/shorten alerts', 'There are no alerts yet.')
  await ben.presses('New alert')
  await ben.seesModal('Tell me when')
  ben.fills({ 'Which links': 'all', When: 'changes' })
  await ben.submits()
  await ben.seesModal('any link is created')
  await ben.closes()
  await ben.seesModal('set up by <@U0BENOKAFOR0>')
  expect(modal(ben)).not.toContain('U0ANAMARTINS')
  await ben.closesAll()
  await ana.opens('/shorten alerts', 'set up by <@U0BENOKAFOR0>')
  expect(modal()).toContain('set up by <@U0ANAMARTINS>')
  await ana.closesAll()
  await settings.set({ mayChange: 'everyone' })
  await ben.opens('/shorten alerts', 'set up by <@U0ANAMARTINS>')
})
