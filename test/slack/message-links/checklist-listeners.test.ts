import { expect } from 'vitest'
import type { Message } from '../../../src/simulator/protocol.ts'
import { withApp } from '../../support/fixtures.ts'
import { texts } from '../../support/texts.ts'

const { test, app, ana, ben, until, settings } = withApp()

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
  expect(texts(ana.modal())).toContain(
    'posted as one reply to the message, where everyone sees it.',
  )
  ana.fills({ 'checklist:2': [] })
  await ana.submits()
  const reply = await replyTo(message)
  expect(reply.ephemeral).toBe(false)
  expect(reply.text).toMatch(
    /^<@\w+> shortened 2 links:\nhttp:\/\/localhost:\d+\/\w+\nhttp:\/\/localhost:\d+\/\w+$/,
  )
  expect(texts(reply)).toContain('"example.com/one?a=1&amp;b=2\\n→ *<http://localhost:')
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

const NEWSLETTER = { name: 'Newsletter', values: { utm_source: 'News Letter', utm_id: '7' } }
const RULES = { lowerCase: true, spaces: '-' as const, sources: [], mediums: [] }

/** Where the short URL that the app's reply shows beside a destination redirects. */
async function redirectOf(reply: Message, destination: string): Promise<string | null> {
  const block = reply.blocks?.find((one) => JSON.stringify(one).includes(destination))
  const [, port, backHalf] = /localhost:(\d+)\/(\w+)/.exec(JSON.stringify(block)) ?? []
  const response = await fetch(`http://127.0.0.1:${port}/${backHalf}`, { redirect: 'manual' })
  return response.headers.get('location')
}

test('adds the UTM parameters of a template to each link, written by the naming rules', async () => {
  await settings.set({ templates: [NEWSLETTER], naming: RULES })
  const message = await shortcutOn(
    'https://example.com/t1?a=b#c https://example.com/t2?utm_source=news-letter',
  )
  expect(ana.form()).toMatchObject({ template: { value: 'none' } })
  ana.fills({ 'UTM template': 'Newsletter' })
  await ana.submits()
  const reply = await replyTo(message)
  expect(await redirectOf(reply, 'example.com/t1')).toBe(
    'https://example.com/t1?a=b&utm_source=news-letter&utm_id=7#c',
  )
  expect(await redirectOf(reply, 'example.com/t2')).toBe(
    'https://example.com/t2?utm_source=news-letter&utm_id=7',
  )
})

test('adds no UTM parameters unless a template is chosen, and starts from the settings', async () => {
  await settings.set({ templates: [NEWSLETTER] })
  const message = await shortcutOn('https://example.com/t3 https://example.com/t4')
  await ana.submits()
  expect(await redirectOf(await replyTo(message), 'example.com/t3')).toBe('https://example.com/t3')
  await settings.set({ templates: [], qr: { enabled: false } })
  await shortcutOn('https://example.com/t3 https://example.com/t4')
  expect(ana.form()).not.toHaveProperty('template')
  expect(ana.form()).toMatchObject({ qr_code_enabled: [] })
})

test.each([
  [
    'was deleted',
    { templates: [] },
    'UTM template: This template was deleted or renamed. Choose another.',
  ],
  [
    'has a value that the rules forbid',
    { templates: [NEWSLETTER], naming: { ...RULES, sources: ['poster'] } },
    'UTM source: “news-letter” isn’t one of this workspace’s sources. Use “poster”.',
  ],
])('creates no link if the template %s, and says so once', async (_name, changed, error) => {
  await settings.set({ templates: [NEWSLETTER] })
  const message = await shortcutOn('https://example.com/t5 https://example.com/t6')
  ana.fills({ 'UTM template': 'Newsletter', 'QR code': [] })
  await settings.set(changed)
  await ana.submits()
  const atMenu = await until(
    () => ana.modal()?.errors['template'] ?? texts(ana.modal()).includes(error),
  )
  expect([true, error.replace('UTM template: ', '')]).toContain(atMenu)
  ana.fills({ 'UTM template': 'No template' })
  await ana.submits()
  expect(await redirectOf(await replyTo(message), 'example.com/t5')).toBe('https://example.com/t5')
})

test('creates the other links if a template contradicts one', async () => {
  await settings.set({ templates: [{ name: 'Newsletter', values: { utm_source: 'poster' } }] })
  const message = await shortcutOn('https://example.com/t7 https://example.com/t8?utm_source=web')
  ana.fills({ 'UTM template': 'Newsletter', 'QR code': [] })
  await ana.submits()
  const reply = await replyTo(message)
  expect(reply.text).toContain('shortened 1 link; 1 could not be shortened')
  expect(texts(reply)).toContain('UTM source: The link already has utm_source=web')
})

test('creates no link if none is selected, and says what to do', async () => {
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
