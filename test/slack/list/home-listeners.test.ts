import { afterEach, expect, test } from 'vitest'
import type { SlackJson } from '../../../src/simulator/protocol.ts'
import { objects } from '../../../src/playground/shared/json.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { startAppElsewhere } from '../../support/app-elsewhere.ts'
import { failure } from '../../support/fake-link-service.ts'
import type { PersonDriver } from '../../support/person.ts'
import { texts } from '../../support/texts.ts'

let app: TestApp

afterEach(async () => {
  expect(app.slack.takeRefusals()).toEqual([])
  await app.stop()
})

const shown = (person: PersonDriver): string => JSON.stringify(person.home()?.['blocks'] ?? [])

/** The texts of the Home's buttons. */
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
    await person.types(`/shorten https://example.com/${title} title="${title}"`, { in: 'general' })
    await app.slack.until(() => texts(person.newest('general')).includes(`*${title}*`))
  }
}

test('whoever comes first is led to the first link, which then stands there', async () => {
  app = await startApp()
  const { ben, until } = app.slack
  await ben.opensHome()
  await until(() => shown(ben).includes('two clicks away'))
  expect(shown(ben)).not.toContain('API key')
  expect(buttons(ben)).toEqual(['Shorten a link'])

  await ben.presses('Shorten a link', { in: 'home' })
  await until(() => ben.modal())
  ben.fills({ Destination: 'https://example.com/first', Title: 'The first one' })
  await ben.submits()
  await until(() => shown(ben).includes('The first one'))
  expect(shown(ben)).toContain('Page 1 of 1  ·  1 link')
})

test('an admin sees the key’s ending and the settings', async () => {
  app = await startApp()
  const { ana, until } = app.slack
  await ana.opensHome()
  await until(() => shown(ana).includes('two clicks away'))
  expect(shown(ana)).toMatch(/key in use ends in `\w{4}`/)
  expect(shown(ana)).toMatch(/Connected to \*localhost:\d+\*, where new links are made/)
  expect(buttons(ana)).toEqual(['Shorten a link', 'Settings'])
})

test('where Slack doesn’t say who is an admin, the settings are left out', async () => {
  app = await startApp({ slack: { scopes: ['commands', 'chat:write', 'files:write', 'im:write'] } })
  const { ana, until, takeRefusals } = app.slack
  await ana.opensHome()
  await until(() => shown(ana).includes('two clicks away'))
  expect(buttons(ana)).toEqual(['Shorten a link'])
  expect(takeRefusals().map(({ error }) => error)).toEqual(['missing_scope'])
})

test('the pages turn, and stay where they are when a link is made', async () => {
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

test('nobody’s Home is drawn who has not opened it', async () => {
  app = await startApp()
  const { ana, ben, until } = app.slack
  await ana.opensHome()
  await until(() => shown(ana).includes('two clicks away'))
  await make(ben, ['of-ben'])
  expect(ben.home()).toBeUndefined()
  expect(shown(ana)).toContain('two clicks away')
})

test('the menu of a link answers in a modal: its QR code, once Slack has processed it', async () => {
  app = await startApp({ slack: { processing: { refusals: 1 } } })
  const { ana, until, takeRefusals } = app.slack
  await make(ana, ['spring'])
  await ana.opensHome()
  await until(() => shown(ana).includes('spring\u2069'))
  const home = shown(ana)
  await ana.chooses('Show QR code', { in: 'home' })
  await until(() => texts(ana.modal()).includes('slack_file'))
  expect(texts(ana.modal())).toContain('QR code that leads to')
  await ana.closes()

  await ana.chooses('Text to copy', { in: 'home' })
  await until(() => texts(ana.modal()).includes('rich_text_preformatted'))
  await ana.closes()
  expect(shown(ana)).toBe(home)
  const refused = takeRefusals().filter(({ where }) => where === 'views.update')
  expect(refused.map(({ error }) => error)).toEqual(['invalid_blocks'])
})

test('a link is shared from the Home tab in a conversation that is chosen', async () => {
  app = await startApp()
  const { ana, ben, until } = app.slack
  await make(ana, ['spring'])
  await ana.opensHome()
  await until(() => shown(ana).includes('spring\u2069'))
  await ana.chooses('Share in a channel', { in: 'home' })
  await until(() => ana.modal()?.view['submit'])
  ana.fills({ 'Share in': 'marketing' })
  await ana.submits()
  const shared = await until(() => ben.newest('marketing'))
  expect(texts(shared)).toContain(`Shared by <@${ana.id}>`)
  expect(shared.ephemeral).toBe(false)
  expect(ana.modal()).toBeUndefined()
})

test('where Slack lets no link be shared, the form says so, and the link comes as a direct message', async () => {
  app = await startApp()
  const { ana, until, failNext } = app.slack
  await make(ana, ['spring'])
  await ana.opensHome()
  await until(() => shown(ana).includes('spring\u2069'))
  await ana.chooses('Share in a channel', { in: 'home' })
  await until(() => ana.modal()?.view['submit'])
  ana.fills({ 'Share in': 'marketing' })
  failNext('response_url', { status: 404 })
  await ana.submits()
  await until(() => texts(ana.modal()).includes('Slack didn’t let me share'))
  expect(ana.newest('app')?.text).toContain('Slack didn’t let me share')
  expect(ana.newest('marketing')).toBeUndefined()
})

test('without a connection an admin can make one there, and others are told whom to ask', async () => {
  app = await startAppElsewhere(() => ({ status: 200, body: { links: [] } }), {
    fallback: undefined,
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

test('when the service fails, the Home says why, and tries again at a click', async () => {
  const elsewhere = await startAppElsewhere(() => failure(500, 'INTERNAL_ERROR'))
  app = elsewhere
  const { ben, until } = app.slack
  await ben.opensHome()
  await until(() => shown(ben).includes('had a problem of its own'))
  expect(buttons(ben)).toEqual(['Shorten a link', 'Try again'])
  elsewhere.service.answers(() => ({ status: 200, body: { links: [] } }))
  await ben.presses('Try again', { in: 'home' })
  await until(() => shown(ben).includes('two clicks away'))
})

test('until the service answers, it shows what is known here', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  app = await startAppElsewhere(async () => {
    await promise
    return { status: 200, body: { links: [LISTED, { ...LISTED, name: 'lnk_2', clicks: 1 }] } }
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
