import { afterEach, expect, test } from 'vitest'
import type { SlackJson } from '../../../src/simulator/protocol.ts'
import { objects } from '../../../src/simulator/shared/slack-json.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { startAppElsewhere } from '../../support/app-elsewhere.ts'
import { failure } from '../../support/fake-link-service.ts'
import type { PersonDriver } from '../../support/person.ts'
import { createFakeClock } from '../../support/platform.ts'
import { texts } from '../../support/texts.ts'

let app: TestApp

afterEach(async () => {
  expect(app.slack.takeRefusals()).toEqual([])
  await app.stop()
})

const shown = (person: PersonDriver): string => JSON.stringify(person.home()?.['blocks'] ?? [])

/** The texts of the Home tab's buttons. */
const buttons = (person: PersonDriver): unknown[] =>
  objects(person.home()?.['blocks']).flatMap(({ type, elements }) =>
    type === 'actions'
      ? objects(elements).flatMap((one) =>
          one['type'] === 'button' ? [(one['text'] as SlackJson)['text']] : [],
        )
      : [],
  )

async function make(person: PersonDriver, titles: string[]): Promise<void> {
  for (const title of titles) {
    await person.asks(`/shorten https://example.com/${title} title="${title}"`, {
      for: `*${title}*`,
    })
  }
}

test('explains how to make the first link, and then lists it', async () => {
  app = await startApp()
  const { ben, until } = app.slack
  await ben.opensHome()
  await until(() => shown(ben).includes('*Make your first short link*'))
  expect(shown(ben)).not.toContain('API key')
  expect(buttons(ben)).toEqual(['Shorten a link'])

  await ben.presses('Shorten a link', { in: 'home' })
  await ben.seesModal()
  ben.fills({ Destination: 'https://example.com/first', Title: 'The first one' })
  await ben.submits()
  await until(() => shown(ben).includes('The first one'))
  expect(shown(ben)).toContain('Page 1 of 1  ·  1 link')
})

test('shows an admin the key’s ending and the settings', async () => {
  app = await startApp()
  const { ana, until } = app.slack
  await ana.opensHome()
  await until(() => shown(ana).includes('*Make your first short link*'))
  expect(shown(ana)).toMatch(/The API key ends in `\w{4}`\. Only admins see this\./)
  expect(shown(ana)).toMatch(/Connected to \*localhost:\d+\*, where new links are made/)
  expect(buttons(ana)).toEqual(['Shorten a link', 'Settings'])
})

test('leaves out the settings if Slack does not say who is an admin', async () => {
  app = await startApp({ slack: { scopes: ['commands', 'chat:write', 'files:write'] } })
  const { ana, until, takeRefusals } = app.slack
  await ana.opensHome()
  await until(() => shown(ana).includes('*Make your first short link*'))
  expect(buttons(ana)).toEqual(['Shorten a link'])
  expect(takeRefusals().map(({ error }) => error)).toEqual(['missing_scope'])
})

test('turns pages, and stays on a page when a link is made', async () => {
  app = await startApp()
  const { ana, until } = app.slack
  await make(ana, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9', 'a10', 'a11'])
  await ana.opensHome()
  await until(() => shown(ana).includes('Page 1 of 2  ·  11 links'))
  await ana.presses('Next', { in: 'home' })
  await until(() => shown(ana).includes('Page 2 of 2'))
  await make(ana, ['a12'])
  await until(() => shown(ana).includes('Page 2 of 2  ·  12 links'))
  await ana.chooses('Oldest first', { in: 'home' })
  await until(() => shown(ana).includes('Page 1 of 2'))
  expect(shown(ana).indexOf('a1\u2069')).toBeLessThan(shown(ana).indexOf('a2\u2069'))
})

test('draws no tab that its user has not opened', async () => {
  app = await startApp()
  const { ana, ben, until } = app.slack
  await ana.opensHome()
  await until(() => shown(ana).includes('*Make your first short link*'))
  await make(ben, ['of-ben'])
  expect(ben.home()).toBeUndefined()
  expect(shown(ana)).toContain('*Make your first short link*')
})

test('answers a link’s menu in a modal, with the QR code once Slack has processed it', async () => {
  const clock = createFakeClock()
  app = await startApp({ slack: { processing: { refusals: 1 } }, clock })
  const { ana, until, takeRefusals } = app.slack
  await make(ana, ['spring'])
  await clock.endSleep(500)
  await ana.gets('slack_file')
  await ana.opensHome()
  await until(() => shown(ana).includes('spring\u2069'))
  const home = shown(ana)
  await ana.chooses('Share, QR code, copy', { in: 'home' })
  await ana.seesModal('Show QR code')
  await ana.presses('Show QR code')
  await clock.endSleep(500)
  await ana.seesModal('slack_file')
  expect(texts(ana.modal())).toContain('QR code for')
  await ana.closes()

  await ana.chooses('Share, QR code, copy', { in: 'home' })
  await ana.seesModal('Copy as text')
  await ana.presses('Copy as text')
  await ana.seesModal('rich_text_preformatted')
  await ana.closes()
  expect(shown(ana)).toBe(home)
  const refused = takeRefusals().filter(({ where }) => where === 'views.update')
  expect(refused.map(({ error }) => error)).toEqual(['invalid_arguments'])
})

test('shares a link in the conversation that the user chooses', async () => {
  app = await startApp()
  const { ana, ben, until } = app.slack
  await make(ana, ['spring'])
  await ana.opensHome()
  await until(() => shown(ana).includes('spring\u2069'))
  await ana.chooses('Share, QR code, copy', { in: 'home' })
  await ana.seesModal('Share in a channel')
  await ana.presses('Share in a channel')
  await until(() => ana.modal()?.view['submit'])
  ana.fills({ 'Share in': 'marketing' })
  await ana.submits()
  // Its QR code follows in a message of its own.
  const shared = await ben.gets(`Shared by <@${ana.id}>`, { in: 'marketing' })
  expect(shared.ephemeral).toBe(false)
  await until(() => !ana.modal())
})

test('sends the link as a direct message if Slack does not allow sharing it, and says so', async () => {
  app = await startApp()
  const { ana, until, failNext } = app.slack
  await make(ana, ['spring'])
  await ana.opensHome()
  await until(() => shown(ana).includes('spring\u2069'))
  await ana.chooses('Share, QR code, copy', { in: 'home' })
  await ana.seesModal('Share in a channel')
  await ana.presses('Share in a channel')
  await until(() => ana.modal()?.view['submit'])
  ana.fills({ 'Share in': 'marketing' })
  failNext('response_url', { status: 404 })
  await ana.submits()
  await ana.seesModal(
    ':warning: Slack didn’t allow Backhalf to share the link there. It was sent to you as a direct message instead.',
  )
  expect(ana.newest('app')?.text).toMatch(
    /^Slack didn’t allow Backhalf to share http:\/\/localhost:\d+\/\w+ there\. Paste it into the conversation/,
  )
  expect(ana.newest('marketing')).toBeUndefined()
})

test('lets an admin connect the workspace, and tells others to ask an admin', async () => {
  app = await startAppElsewhere({
    answers: () => ({ status: 200, body: { links: [] } }),
    config: { fallback: undefined },
  })
  const { ana, ben, until } = app.slack
  await ben.opensHome()
  await until(() => shown(ben).includes('Ask an admin'))
  expect(buttons(ben)).toEqual([])

  await ana.opensHome()
  await until(() => buttons(ana).includes('Connect'))
  expect(buttons(ana)).not.toContain('Shorten a link')
  await ana.presses('Connect', { in: 'home' })
  await until(() => ana.modal()?.view['submit'])
  ana.fills({ 'API key': 'a-key-of-the-tests-1234', Domains: 'dom_1 go.example.com' })
  await ana.submits()
  await until(() => shown(ana).includes('New links are made on *go.example.com*'))
  expect(shown(ana)).toContain('ends in `1234`')
  expect(shown(ana)).not.toContain('of-the-tests')
})

test('explains why the service failed, and tries again at a click', async () => {
  const elsewhere = await startAppElsewhere({ answers: () => failure(500, 'INTERNAL_ERROR') })
  app = elsewhere
  const { ben, until } = app.slack
  await ben.opensHome()
  await until(() =>
    shown(ben).includes(':warning: The link service had a problem of its own (error 500).'),
  )
  expect(buttons(ben)).toEqual(['Shorten a link', 'Try again'])
  elsewhere.service.answers(() => ({ status: 200, body: { links: [] } }))
  await ben.presses('Try again', { in: 'home' })
  await until(() => shown(ben).includes('*Make your first short link*'))
})

test('shows the connection until the service has answered', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  app = await startAppElsewhere({
    answers: async () => {
      await promise
      return { status: 200, body: { links: [LISTED, { ...LISTED, name: 'lnk_2', clicks: 1 }] } }
    },
  })
  const { ben, until } = app.slack
  await ben.opensHome()
  await until(() => shown(ben).includes('Loading the links'))
  expect(buttons(ben)).toEqual(['Shorten a link'])
  resolve(undefined)
  await until(() => shown(ben).includes('12,345 clicks'))
  expect(shown(ben)).toContain('1 click  ·')
  expect(shown(ben)).toContain('&lt;!channel&gt;')
})

const LISTED = {
  name: `lnk_${'x'.repeat(300)}`,
  title: 'قصير <!channel>',
  destination_url: `https://example.com/${'x'.repeat(1980)}`,
  shortlink_url: 'https://go.example.com/one',
  created_at: '2026-11-20T10:00:00Z',
  clicks: 12_345,
}
