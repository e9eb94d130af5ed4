import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import type { PersonDriver } from '../../support/person.ts'
import { openTestSettings, type TestSettings } from '../../support/settings.ts'

const REFUSED =
  'Guests can’t shorten links in this workspace. Ask the person who invited you, or any member, to make the link for you.'

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

/** Every way to open the form. */
const WAYS: [string, (person: PersonDriver) => Promise<void>][] = [
  ['the command alone', (person) => person.types('/shorten', { in: 'general' })],
  ['the shortcut', (person) => person.runsShortcut('shorten_link')],
  [
    'the message shortcut',
    async (person) => {
      const message = await person.posts('See https://example.com/a-message')
      await person.runsMessageShortcut('shorten_message_links', 'general', message)
    },
  ],
]

/** A Home tab that was opened before the setting changed has the button still. */
const FROM_HOME: (typeof WAYS)[number] = [
  'the Home tab',
  async (person) => {
    await settings.set({})
    await person.opensHome()
    await person.seesHome('"Shorten a link"')
    await settings.set({ mayShorten: 'not_guests' })
    await person.presses('Shorten a link', { in: 'home' })
  },
]

test.each([...WAYS, FROM_HOME])(
  '%s explains to a guest why there is no form',
  async (_name, goes) => {
    const { gil } = app.slack
    await goes(gil)
    await gil.seesModal(REFUSED)
    expect(gil.modal()?.view['submit']).toBeUndefined()
  },
)

test.each([...WAYS, FROM_HOME])('%s opens the form for a member', async (_name, goes) => {
  const { ben } = app.slack
  await goes(ben)
  await ben.seesModal('destination_url')
})

const MAY_NOT_SEE = 'Guests can’t see the short links of this workspace.'

test('a guest sees no list', async () => {
  const { ben, gil, until } = app.slack
  await ben.types('/shorten https://example.com/of-a-member', { in: 'general' })
  await until(() => newest(ben).includes('Your short link'))
  await gil.types('/shorten list', { in: 'general' })
  await until(() => newest(gil).includes(MAY_NOT_SEE))
  expect(newest(gil)).not.toContain('of-a-member')
  await ben.types('/shorten list', { in: 'general' })
  await until(() => newest(ben).includes('of-a-member'))
})

test('a guest’s Home tab shows neither links nor the connection', async () => {
  const { gil, until } = app.slack
  await gil.opensHome()
  const home = (): string => JSON.stringify(gil.home() ?? {})
  await until(() => home().includes(MAY_NOT_SEE))
  expect(home()).not.toContain('Connected to')
  expect(home()).not.toContain('of-a-member')
})

test('a guest’s list that was open before the setting changed shows no other page and no link', async () => {
  await settings.set({})
  const { gil, until } = app.slack
  await gil.types('/shorten list', { in: 'general' })
  await until(() => newest(gil).includes('Most recent first'))
  await settings.set({ mayShorten: 'not_guests' })
  await gil.chooses('Oldest first', { in: 'general' })
  await until(() => newest(gil).includes(MAY_NOT_SEE))
})

test('a guest’s command makes no link', async () => {
  const { gil, until } = app.slack
  await gil.types('/shorten https://example.com/of-a-guest', { in: 'general' })
  await until(() => newest(gil).includes(REFUSED))
  expect(newest(gil)).not.toContain('Your short link')
})

test('a guest’s form that was open before the setting changed sends nothing, and keeps what was typed', async () => {
  await settings.set({})
  const { gil } = app.slack
  await gil.opens('/shorten')
  await settings.set({ mayShorten: 'not_guests' })
  gil.fills({ Destination: 'https://example.com/typed' })
  await gil.submits()
  await gil.seesModal(REFUSED)
  expect(gil.form()).toMatchObject({ destination_url: 'https://example.com/typed' })
})

test('refuses everyone if Slack does not say who is a guest, and asks them to try again', async () => {
  const { ben, until } = app.slack
  app.slack.failNext('users.info', { error: 'internal_error' })
  await ben.types('/shorten https://example.com/of-a-member', { in: 'general' })
  await until(() =>
    newest(ben).includes(
      'couldn’t find out from Slack whether you are one. Please try again in a minute.',
    ),
  )
})

test('does not ask Slack if everyone may shorten links', async () => {
  await settings.set({})
  const { ana, until } = app.slack
  // Ana has not opened her Home tab. A refresh of it would ask Slack, too.
  app.slack.failNext('users.info', { error: 'internal_error' })
  await ana.types('/shorten https://example.com/welcome', { in: 'general' })
  await until(() => newest(ana).includes('example.com/welcome'))
  expect(newest(ana)).toContain('Your short link')
  await settings.set({ mayShorten: 'not_guests' })
  await ana.types('/shorten https://example.com/asked', { in: 'general' })
  await until(() => newest(ana).includes('Please try again'))
})
