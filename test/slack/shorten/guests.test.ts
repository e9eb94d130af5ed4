import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import type { PersonDriver } from '../../support/person.ts'
import { openTestSettings, type TestSettings } from '../../support/settings.ts'
import { texts } from '../../support/texts.ts'

const REFUSED = 'guests can’t shorten links. Ask the person who invited you'

let settings: TestSettings
let app: TestApp

beforeAll(async () => {
  settings = await openTestSettings()
  app = await startApp({ config: { databaseUrl: settings.databaseUrl } })
})
beforeEach(() => settings.set({ mayShorten: 'not_guests' }))
afterEach(async () => {
  const { ben, gil } = app.slack
  for (const person of [ben, gil]) await person.closesAll()
  expect(app.slack.takeRefusals()).toEqual([])
})
afterAll(async () => {
  await app.stop()
  await settings.close()
})

const newest = (person: PersonDriver): string => JSON.stringify(person.newest('general') ?? {})

/** Every way to a form. */
const WAYS: [string, (person: PersonDriver) => Promise<void>][] = [
  ['the command alone', (person) => person.types('/shorten', { in: 'general' })],
  ['the shortcut', (person) => person.runsShortcut('shorten_link')],
  [
    'the message shortcut',
    async (person) => {
      await person.types('See https://example.com/a-message', { in: 'general' })
      const message = await app.slack.until(() =>
        person.sees('general').findLast(({ text }) => text.includes('a-message')),
      )
      await person.runsMessageShortcut('shorten_message_links', 'general', message)
    },
  ],
  [
    'the Home tab',
    async (person) => {
      await person.opensHome()
      await app.slack.until(() => JSON.stringify(person.home() ?? {}).includes('Shorten a link'))
      await person.presses('Shorten a link', { in: 'home' })
    },
  ],
]

test.each(WAYS)('%s tells a guest, kindly, that guests may not', async (_name, goes) => {
  const { gil, until } = app.slack
  await goes(gil)
  await until(() => texts(gil.modal()).includes(REFUSED))
  expect(gil.modal()?.view['submit']).toBeUndefined()
})

test.each(WAYS)('%s leads a member to the form', async (_name, goes) => {
  const { ben, until } = app.slack
  await goes(ben)
  await until(() => texts(ben.modal()).includes('destination_url'))
})

test('a command of a guest makes no link', async () => {
  const { gil, until } = app.slack
  await gil.types('/shorten https://example.com/of-a-guest', { in: 'general' })
  await until(() => newest(gil).includes(REFUSED))
  expect(newest(gil)).not.toContain('Your short link')
})

test('a form that was open before guests were shut out sends nothing, and keeps what was typed', async () => {
  await settings.set({})
  const { gil, until } = app.slack
  await gil.types('/shorten', { in: 'general' })
  await until(() => gil.modal())
  await settings.set({ mayShorten: 'not_guests' })
  gil.fills({ Destination: 'https://example.com/typed' })
  await gil.submits()
  await until(() => texts(gil.modal()).includes(REFUSED))
  expect(gil.form()).toMatchObject({ destination_url: 'https://example.com/typed' })
})

test('where Slack doesn’t say who is a guest, nobody gets through, and is asked to try again', async () => {
  const { ben, until } = app.slack
  app.slack.failNext('users.info', { error: 'internal_error' })
  await ben.types('/shorten https://example.com/of-a-member', { in: 'general' })
  await until(() => newest(ben).includes('Please try again in a minute'))
})

test('where everybody may, Slack is not asked', async () => {
  await settings.set({})
  const { ana, until } = app.slack
  // Hers is no Home tab that would be drawn again, which asks Slack too.
  app.slack.failNext('users.info', { error: 'internal_error' })
  await ana.types('/shorten https://example.com/welcome', { in: 'general' })
  await until(() => newest(ana).includes('example.com/welcome'))
  expect(newest(ana)).toContain('Your short link')
  await settings.set({ mayShorten: 'not_guests' })
  await ana.types('/shorten https://example.com/asked', { in: 'general' })
  await until(() => newest(ana).includes('Please try again'))
})
