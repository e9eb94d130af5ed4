import { expect } from 'vitest'
import type { Message } from '../../../src/simulator/protocol.ts'
import { withApp } from '../../support/fixtures.ts'
import { webClient } from '../../support/web-client.ts'
import { texts } from '../../support/texts.ts'

const { test, app, slack, ana, ben, until } = withApp()

/** Ben posts this text, and Ana runs the shortcut on the message. */
async function shortcutOn(text: string): Promise<Message> {
  const message = await ben.posts(text)
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await ana.seesModal()
  return message
}

/** The app's reply to a message, which everyone sees. */
const replyTo = ({ ts }: Message) =>
  until(() =>
    ben.sees('general').find(({ author, threadTs }) => author.kind === 'app' && threadTs === ts),
  )

test('opens a checklist of several links, all selected, and posts the short links as one reply', async () => {
  const message = await shortcutOn(
    'Read https://example.com/one?a=1&b=2 and https://example.com/two, not https://example.com/three',
  )
  expect(ana.modal()?.view['callback_id']).toBe('checklist_form')
  const ticked = [{ text: { type: 'plain_text', text: 'Shorten', emoji: true }, value: 'on' }]
  expect(ana.form()).toMatchObject({
    'checklist:0': ticked,
    'checklist:1': ticked,
    'checklist:2': ticked,
    qr_code_enabled: [{ value: 'on' }],
  })
  ana.fills({ 'checklist:2': [] })
  await ana.submits()
  const reply = await replyTo(message)
  expect(ana.modal()).toBeUndefined()
  expect(reply.ephemeral).toBe(false)
  expect(reply.text).toMatch(
    /^<@\w+> shortened 2 links:\nhttp:\/\/localhost:\d+\/\w+\nhttp:\/\/localhost:\d+\/\w+$/,
  )
  expect(texts(reply)).toContain(
    '<https://example.com/one?a=1&amp;b=2|example.com/one?a=1&amp;b=2>',
  )
  expect(texts(reply)).toContain('example.com/two')
  expect(texts(reply)).not.toContain('three')

  await ben.presses('Show QR code', { in: 'general', message: reply })
  await ben.seesModal('slack_file')
})

test('refreshes the user’s Home tab', async () => {
  await ana.opensHome()
  await ana.seesHome('*Links*')
  await shortcutOn('https://example.com/home-1 https://example.com/home-2')
  await ana.submits()
  await ana.seesHome('example.com/home-2')
})

test('shows the existing link of a duplicate', async () => {
  await ben.types('/shorten https://example.com/known', { in: 'marketing' })
  const known = await until(() => ben.newest('marketing'))
  const [short = ''] = /http:\/\/localhost:\d+\/\w+/.exec(known.text) ?? []
  const message = await shortcutOn('https://example.com/known https://example.com/unknown')
  ana.fills({ qr_code_enabled: [] })
  await ana.submits()
  const reply = await replyTo(message)
  expect(texts(reply)).toContain(`${short.replace('http://', '')}>*  ·  already existed`)
  expect(texts(reply).match(/already existed/g)).toHaveLength(1)
  expect(texts(reply)).not.toContain('QR code')
})

test('leaves out links that are already short, and says so', async () => {
  const short = `http://localhost:${new URL(app.running.serviceUrl).port}/x`
  await shortcutOn(
    `${short} https://example.com/a https://example.com/b https://team.slack.com/archives/C1/p1`,
  )
  expect(texts(ana.modal())).toContain(
    'Left out: 1 link already short, 1 link to something in Slack.',
  )
  expect(texts(ana.modal())).not.toContain(short)
})

test('opens the form if all links are already short, and says so', async () => {
  await shortcutOn(`http://localhost:${new URL(app.running.serviceUrl).port}/x`)
  expect(ana.modal()?.view['callback_id']).toBe('shorten_form')
  expect(texts(ana.modal())).toContain(
    'The links in that message are already short. You can enter another here.',
  )
})

test('makes no link if none is selected, and says what to do', async () => {
  await shortcutOn('https://example.com/c https://example.com/d')
  ana.fills({ 'checklist:0': [], 'checklist:1': [] })
  await ana.submits()
  await ana.seesModal('Select at least one link.')
  expect(ana.form()).toMatchObject({ 'checklist:0': [], 'checklist:1': [] })
  await ana.chooses('on', { of: 'tick_link' })
})

test('opens the form for the first of several links that are too long to be listed together', async () => {
  const url = (name: string): string => `https://example.com/${name}?${'a&'.repeat(500)}end`
  await shortcutOn(`${url('long')} ${url('longer')}`)
  expect(ana.form()).toMatchObject({ destination_url: url('long') })
  expect(texts(ana.modal())).toContain(
    'That message has 2 links, which are too long to be listed together. This is the first; shorten the others one by one.',
  )
})

test('lists as many of a hundred links of 390 characters as one answer has room for', async () => {
  await ana.invitesApp('general')
  const general = slack.workspace.state(ana.id).conversations.find(({ name }) => name === 'general')
  const url = (at: number): string =>
    `https://example.com/${at}/`.padEnd(390, `parameter=${at}&another-parameter=some`)
  const posted = await webClient(slack.apiUrl).chat.postMessage({
    channel: general?.id ?? '',
    text: Array.from({ length: 100 }, (_, at) => url(at)).join(' '),
  })
  const message = await until(() => ana.sees('general').find(({ ts }) => ts === posted.ts))
  await ana.runsMessageShortcut('shorten_message_links', 'general', message)
  await ana.seesModal()
  expect(texts(ana.modal())).toContain(
    'There is no room here for 70 more links. Shorten them one by one.',
  )
  await ana.submits()
  const reply = await replyTo(message)
  expect(reply.text).toContain('shortened 30 links')
  expect(reply.blocks).toHaveLength(31)
  const inTexts = (reply.blocks ?? []).map((one) => (one['text'] as { text: string }).text).join('')
  expect(inTexts.length).toBeLessThan(12_000)
})
