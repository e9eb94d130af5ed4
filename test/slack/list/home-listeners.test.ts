import { expect } from 'vitest'
import type { SlackJson } from '../../../src/simulator/protocol.ts'
import { objects, placedElements } from '../../../src/simulator/shared/slack-json.ts'
import { startApp } from '../../support/app.ts'
import { failure } from '../../support/fake-link-service.ts'
import { withApp, withAppElsewhere } from '../../support/fixtures.ts'
import type { PersonDriver } from '../../support/person.ts'
import { createFakeClock } from '../../support/platform.ts'
import { texts } from '../../support/texts.ts'

const { test, slack, ana, ben, gil, until } = withApp()

const shown = (person: PersonDriver): string => JSON.stringify(person.home()?.['blocks'] ?? [])

/** The texts of the Home tab's buttons. */
const buttons = (person: PersonDriver): unknown[] =>
  placedElements(objects(person.home()?.['blocks'])).flatMap(({ block, element }) =>
    block.type === 'actions' && element.type === 'button'
      ? [(element['text'] as SlackJson)['text']]
      : [],
  )

async function make(person: PersonDriver, titles: string[], options = 'qr=off'): Promise<void> {
  for (const title of titles) {
    await person.asks(`/shorten https://example.com/${title} title="${title}" ${options}`, {
      for: `*${title}*`,
    })
  }
}

const FIRST = '*Create your first short link*'

test('explains how to create the first link, then lists it, and shows only admins the key and the settings', async () => {
  await ben.opensHome()
  await ben.seesHome(FIRST)
  expect(shown(ben)).not.toContain('API key')
  expect(buttons(ben)).toEqual(['Shorten a link', 'Open dashboard'])
  await ana.opensHome()
  await ana.seesHome(FIRST)
  expect(shown(ana)).toMatch(/The API key ends in `\w{4}`\. Only admins see this\./)
  expect(shown(ana)).toMatch(/Connected to \*localhost:\d+\*, where new links are created/)
  expect(buttons(ana)).toEqual(['Shorten a link', 'Open dashboard', 'Settings'])

  await ana.presses('Shorten a link', { in: 'home' })
  await ana.seesModal()
  ana.fills({ Destination: 'https://example.com/first', Title: 'The first one' })
  await ana.submits()
  await ana.seesHome('The first one')
  expect(shown(ana)).toContain('Page 1 of 1  ·  1 link')
  // Only the tab of the user who created the link is drawn again.
  expect(gil.home()).toBeUndefined()
  expect(shown(ben)).toContain(FIRST)
})

test('leaves out the settings if Slack does not say who is an admin', async () => {
  slack.failNext('users.info', { error: 'missing_scope' })
  await ana.opensHome()
  await until(() => !buttons(ana).includes('Settings'))
  expect(buttons(ana)).toContain('Shorten a link')
})

test('turns pages, and stays on a page when a link is created', async () => {
  await make(ana, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9', 'a10'])
  await ana.opensHome()
  await ana.seesHome('Page 1 of 2  ·  11 links')
  await ana.presses('Next', { in: 'home' })
  await ana.seesHome('Page 2 of 2')
  await make(ana, ['a11'])
  await ana.seesHome('Page 2 of 2  ·  12 links')
  await ana.chooses('Oldest first', { in: 'home' })
  await ana.seesHome('Page 1 of 2')
  expect(shown(ana).indexOf('a1\u2069')).toBeLessThan(shown(ana).indexOf('a2\u2069'))
})

test('shares a link in the conversation that the user chooses, and asks again if Slack does not allow it there', async () => {
  await ana.opensHome()
  await ana.chooses('Copy, QR code, share…', { in: 'home' })
  await until(() => ana.modal()?.view['submit'])
  // The picture would otherwise be added to a modal that is closed by then, which Slack refuses.
  await ana.seesModal('slack_file')
  ana.fills({ 'Share in': 'marketing' })
  slack.failNext('response_url', { status: 404 })
  await ana.submits()
  await ana.seesModal(':warning: Slack didn’t allow Backhalf to share http://localhost')
  expect(ana.newest('marketing')).toBeUndefined()

  await ana.submits()
  // Its QR code follows in a message of its own.
  const shared = await ben.gets(`Shared by <@${ana.id}>`, { in: 'marketing' })
  expect(shared.ephemeral).toBe(false)
  await until(() => !ana.modal())
})

test('shows a QR code in a modal, with the picture once Slack has processed it', async () => {
  const clock = createFakeClock()
  const { slack, ...app } = await startApp({ slack: { fileRefusals: 1 }, clock })
  const { ana, takeRefusals } = slack
  await make(ana, ['spring'], '')
  await clock.endSleep(500)
  await ana.gets('slack_file')
  await ana.opensHome()
  await ana.seesHome('spring\u2069')
  const home = shown(ana)
  await ana.chooses('Copy, QR code, share…', { in: 'home' })
  await clock.endSleep(500)
  await ana.seesModal('slack_file')
  expect(texts(ana.modal())).toContain('QR code for')
  expect(shown(ana)).toBe(home)
  const refused = takeRefusals().filter(({ where }) => where === 'views.update')
  expect(refused.map(({ error }) => error)).toEqual(['invalid_arguments'])
  await app.stop()
})

const links = (...links: object[]) => ({ status: 200, body: { links } })

const elsewhere = withAppElsewhere()

elsewhere.test('explains why the service failed, and tries again at a click', async () => {
  const { ben, service } = elsewhere
  service.answers(() => failure(500, 'INTERNAL_ERROR'))
  await ben.opensHome()
  await ben.seesHome(':warning: The link service failed (error 500).')
  expect(buttons(ben)).toEqual(['Shorten a link', 'Try again'])
  service.answers(() => links())
  await ben.presses('Try again', { in: 'home' })
  await ben.seesHome(FIRST)
})

elsewhere.test('shows the connection until the service has answered', async () => {
  const { ana, service } = elsewhere
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const listed = {
    name: `lnk_${'x'.repeat(300)}`,
    title: 'قصير <!channel>',
    destination_url: 'https://example.com/page',
    shortlink_url: 'https://go.example.com/one',
  }
  const list = [12_345, 1].map((clicks) => ({ ...listed, clicks }))
  service.answers(() => promise.then(() => links(...list)))
  await ana.opensHome()
  await ana.seesHome('Loading the links')
  expect(buttons(ana)).toEqual(['Shorten a link'])
  resolve(undefined)
  await ana.seesHome('12,345\u00a0clicks')
  expect(shown(ana)).toContain('·  1\u00a0click"')
  expect(shown(ana)).toContain('&lt;!channel&gt;')
})

const unconnected = withAppElsewhere({
  answers: () => links(),
  config: { fallback: undefined },
})

unconnected.test('lets an admin connect the workspace, and others ask an admin', async () => {
  const { ana, ben, until } = unconnected
  await ben.opensHome()
  expect(await ben.seesHome('Ask an admin')).not.toContain('In any conversation')
  expect(buttons(ben)).toEqual([])

  await ana.opensHome()
  await until(() => buttons(ana).includes('Connect'))
  expect(buttons(ana)).not.toContain('Shorten a link')
  await ana.presses('Connect', { in: 'home' })
  await until(() => ana.modal()?.view['submit'])
  ana.fills({ 'API key': 'a-key-of-the-tests-1234', Domains: 'dom_1 go.example.com' })
  await ana.submits()
  await ana.seesHome('New links are created on *go.example.com*')
  expect(shown(ana)).toContain('ends in `1234`')
  expect(shown(ana)).not.toContain('of-the-tests')
})
