import { expect } from 'vitest'
import { CHANNELS } from '../../../../src/simulator/workspace/seeds.ts'
import { WORKFLOW_STEP } from '../../../../src/slack/ids.ts'
import type { AllowedDestinations } from '../../../../src/workspaces/settings.ts'
import { browse, plainText } from '../../../support/dashboard.ts'
import { withApp } from '../../../support/fixtures.ts'
import { texts } from '../../../support/texts.ts'
import { linksTo } from '../stored-links.ts'

const [GENERAL = '', MARKETING = ''] = CHANNELS.map(({ id }) => id)
const { test, app, slack, ana, ben, until, settings } = withApp()

const RULE: AllowedDestinations = { hosts: ['example.com'], ownRequests: false }
const ASKS: AllowedDestinations = { ...RULE, approvers: MARKETING }

test.beforeAll(({ app: _app }) => slack.workspace.parts.conversations.setAppMember(MARKETING, true))
test.beforeEach(() => settings.set({ destinations: ASKS }))

const requests = () =>
  ana.sees('marketing').filter(({ author, blocks }) => author.kind === 'app' && blocks)

/** Waits until a request is approved. @returns the message to the approvers about it */
const approved = (path: string): Promise<string> =>
  until(() =>
    requests()
      .map((message) => texts(message))
      .find((text) => new RegExp(`approved it.*/${path}`, 's').test(text)),
  )

/** Ben asks for a link with a command. @returns waits for the message to the approvers */
async function request(path: string, more = ''): Promise<void> {
  const before = requests().length
  await ben.asks(`/shorten https://other.test/${path} ${more}`, { for: 'have been asked.' })
  await until(() => requests()[before])
}

const press = (person: typeof ana, button: string) => person.presses(button, { in: 'marketing' })

test.describe('if other destinations are refused', () => {
  test.beforeEach(() => settings.set({ destinations: RULE }))

  const REFUSED =
    'Links in this workspace can’t lead to other.test, only to example.com and subdomains. An admin can allow it with /shorten settings.'

  test('commands, forms, workflows and edits say who can allow it', async () => {
    await ben.asks('/shorten https://other.test/x', { for: REFUSED })
    await ben.opens('/shorten')
    ben.fills({ destination_url: 'https://other.test/x' })
    await ben.submits()
    expect(await ben.seesErrors()).toEqual({ destination_url: REFUSED })
    await ben.closes()
    const run = await ana.runsStep(WORKFLOW_STEP, { destination_url: 'https://other.test/x' })
    expect(await until(() => ana.stepRun(run)?.outcome)).toEqual({
      ok: false,
      error: `Destination: ${REFUSED}`,
    })
    await ben.asks('/shorten https://shop.example.com/x refused-edit', { for: 'refused-edit' })
    await ben.opens('/shorten edit refused-edit', 'shop.example.com')
    ben.fills({ destination_url: 'https://example.com.other.test/x' })
    await ben.submits()
    expect((await ben.seesErrors())['destination_url']).toContain('example.com.other.test')
    ben.fills({ destination_url: 'https://example.com/edited' })
    await ben.submits()
    await ben.gets('Saved')
    expect(await linksTo(app, 'https://example.com/edited')).toHaveLength(1)
    expect(await linksTo(app, 'https://other.test/x')).toEqual([])
  })

  test('a link that was created before can be edited otherwise', async () => {
    await settings.set({})
    await ben.asks('/shorten https://older.test/ older-one', { for: 'older-one' })
    await settings.set({ destinations: RULE })
    await ben.opens('/shorten edit older-one', 'older.test')
    ben.fills({ title: 'Older' })
    await ben.submits()
    await ben.gets('Saved')
    expect(await linksTo(app, 'https://older.test/')).toMatchObject([{ title: 'Older' }])
  })
})

test('an approved link is created as it was typed, for the person who asked', async () => {
  await request('approved?a=1', 'my-half title="Spring <sale>" tags=print')
  const [asked] = requests().slice(-1)
  expect(texts(asked)).toContain(`<@${ben.id}> asks for a short link to *other.test*`)
  expect(texts(asked)).toContain('Spring <sale>')
  expect(await linksTo(app, 'https://other.test/approved?a=1')).toEqual([])
  await press(ana, 'Approve')
  await ben.gets(`<@${ana.id}> approved your request for this link.`, { in: 'app' })
  const [link] = await linksTo(app, 'https://other.test/approved?a=1')
  expect(link).toMatchObject({
    back_half: 'my-half',
    title: 'Spring <sale>',
    person_id: expect.stringContaining(ben.id) as string,
  })
  expect(texts(ben.newest('app'))).toContain('/my-half')
  expect(await approved('my-half')).not.toContain('"Approve"')
})

test('an approver can’t approve the own request, unless an admin has allowed it', async () => {
  await request('own')
  await press(ben, 'Approve')
  await ben.gets('You can’t approve your own request.', { in: 'marketing' })
  expect(await linksTo(app, 'https://other.test/own')).toEqual([])
  await settings.set({ destinations: { ...ASKS, ownRequests: true } })
  await press(ben, 'Approve')
  await approved('own')
  expect(await linksTo(app, 'https://other.test/own')).toHaveLength(1)
})

test('a declined request tells the reason and what was typed', async () => {
  await request('declined', 'no-half')
  await press(ana, 'Decline')
  await ana.seesModal('as a direct message')
  ana.fills({ decline_reason: 'Not <our> site' })
  await ana.submits()
  const told = texts(await ben.gets('declined your request for a link', { in: 'app' }))
  expect(told).toContain('Reason: Not &lt;our&gt; site')
  expect(told).toContain('https://other.test/declined')
  expect(told).toContain('no-half')
  expect(await linksTo(app, 'https://other.test/declined')).toEqual([])
  expect(texts(requests().at(-1))).toContain('declined it. Reason: Not &lt;our&gt; site')
})

test('an approved link whose back-half is taken meanwhile tells both', async () => {
  await request('taken', 'taken-half')
  await ana.asks('/shorten https://example.com/first taken-half', { for: 'taken-half' })
  await press(ana, 'Approve')
  const told = texts(await ben.gets('couldn’t be created', { in: 'app' }))
  expect(told).toContain('taken-half')
  expect(texts(requests().at(-1))).toContain('couldn’t be created')
})

test('the form and the links of a message wait, too', async () => {
  await ben.opens('/shorten')
  ben.fills({ destination_url: 'https://other.test/form' })
  await ben.submits()
  await ben.gets('have been asked.')
  const message = await ben.posts('https://other.test/one https://example.com/two')
  await ben.runsMessageShortcut('shorten_message_links', 'general', message)
  await ben.seesModal('Which links')
  await ben.submits()
  const reply = texts(await ben.gets('shortened 1 link; 1 must be approved first'))
  expect(reply).toContain(':hourglass_flowing_sand: other.test/one')
  expect(requests().filter((one) => texts(one).includes('https://other.test/one'))).toHaveLength(1)
})

test('a workflow can’t ask', async () => {
  const run = await ana.runsStep(WORKFLOW_STEP, { destination_url: 'https://other.test/flow' })
  const outcome = await until(() => ana.stepRun(run)?.outcome)
  expect(outcome).toMatchObject({
    ok: false,
    error: expect.stringContaining('a workflow can’t ask them') as string,
  })
})

test('keeps nothing if the approvers can’t be asked', async () => {
  slack.failNext('chat.postMessage', { error: 'not_in_channel' })
  await ben.asks('/shorten https://other.test/unasked', { for: 'can’t post in their channel' })
  await request('unasked')
})

test('an admin chooses hostnames and approvers, and tries a URL', async () => {
  await settings.set({})
  await ana.opens('/shorten settings', 'Links can lead anywhere.')
  await ana.presses('edit_destinations')
  await ana.seesModal('One hostname per line')
  ana.fills({ allowed_hosts: 'example.com\nshop.*.com', tried_url: 'shop.example.com/x' })
  await ana.presses('Try this URL')
  await ana.seesModal('Links can lead to shop.example.com.')
  ana.fills({ tried_url: 'https://badexample.com' })
  await ana.presses('Try this URL')
  await ana.seesModal('badexample.com is not on the list.')
  ana.fills({ tried_url: 'ftp://example.com' })
  await ana.presses('Try this URL')
  await ana.seesModal('Enter a URL')
  await ana.submits()
  expect(await ana.seesErrors()).toEqual({
    allowed_hosts: 'Line 2: write a hostname, such as example.com.',
  })
  ana.fills({ allowed_hosts: 'example.com\nBücher.example', other_destinations: 'ask' })
  await ana.submits()
  expect(await ana.seesErrors()).toEqual({
    approvers: 'Choose the channel whose members approve links.',
  })
  ana.fills({ approvers: 'general' })
  await ana.submits()
  await ana.seesModal('Links can lead to example.com and xn--bcher-kva.example and subdomains.')
  expect(texts(ana.modal())).toContain(`Approvers in <#${GENERAL}> decide`)
  await ana.gets('made this the approvers’ channel')
})

test('the list also holds in the dashboard that people open from Slack', async () => {
  await settings.set({ destinations: RULE })
  await ben.opens('/shorten dashboard', 'Open the dashboard')
  const url = /"url":"([^"]+sign-in[^"]+)"/.exec(JSON.stringify(ben.modal()))?.[1] ?? ''
  const browser = browse({ baseUrl: app.running.serviceUrl })
  const { pathname } = new URL(url)
  await browser.get(pathname)
  expect((await browser.post(pathname)).status).toBe(303)
  const refused = await browser.submit('/dashboard/links/new', {
    destination_url: 'https://other.test/dashboard',
  })
  expect(plainText(refused)).toContain('allows only links to example.com and its subdomains.')
  expect(await linksTo(app, 'https://other.test/dashboard')).toEqual([])
  const made = await browser.submit('/dashboard/links/new', {
    destination_url: 'https://example.com/dashboard',
  })
  expect(made.status).toBe(303)
})

test('guests can’t approve, and a click twice creates one link', async () => {
  await request('guests')
  await press(slack.gil, 'Approve')
  await slack.gil.gets('Guests can’t approve links.', { in: 'marketing' })
  expect(await linksTo(app, 'https://other.test/guests')).toEqual([])
  const [message] = requests().slice(-1)
  if (!message) throw new Error('there is no request')
  await Promise.all([1, 2].map(() => ana.presses('Approve', { in: 'marketing', message })))
  await approved('guests')
  expect(await linksTo(app, 'https://other.test/guests')).toHaveLength(1)
})

test('a request stays if Slack doesn’t say whether the person is a guest', async () => {
  await settings.set({ destinations: ASKS, mayShorten: 'not_guests' })
  await request('unknown-rank')
  // Slack says who approves, but not who asked.
  slack.failNext('users.info', { delayMs: 0 })
  slack.failNext('users.info', { error: 'user_not_found' }, 10)
  await press(ana, 'Approve')
  await ana.gets('couldn’t find out from Slack', { in: 'marketing' })
  slack.stopFailing()
  expect(requests().some((one) => /unknown-rank.*"Approve"/s.test(texts(one)))).toBe(true)
  await press(ana, 'Approve')
  await approved('unknown-rank')
  expect(await linksTo(app, 'https://other.test/unknown-rank')).toHaveLength(1)
})

test('tells the person even if Slack fails for a moment', async () => {
  await request('unlucky')
  slack.failNext('chat.update', { error: 'internal_error' })
  await press(ana, 'Decline')
  await ana.seesModal('as a direct message')
  slack.failNext('chat.postMessage', { error: 'internal_error' })
  await ana.submits()
  await until(() => ben.sees('app').some((one) => texts(one).includes('other.test/unlucky')))
})

test('a destination that has a link tells both, with what was not used', async () => {
  await settings.set({})
  await ana.asks('/shorten https://other.test/known known-one', { for: 'known-one' })
  await settings.set({ destinations: ASKS })
  await request('known', 'known-two')
  await press(ana, 'Approve')
  const told = texts(await ben.gets('known-two', { in: 'app' }))
  expect(told).toContain('already has a short link')
  expect(told).toContain('/known-one')
})
