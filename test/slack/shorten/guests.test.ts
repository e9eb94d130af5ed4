import { beforeEach, expect } from 'vitest'
import { withApp } from '../../support/fixtures.ts'
import type { PersonDriver } from '../../support/person.ts'
import { texts } from '../../support/texts.ts'

const REFUSED =
  'Guests can’t shorten links in this workspace. Ask the person who invited you, or any member, to create the link for you.'

const { test, slack, ana, ben, gil, until, settings } = withApp()
beforeEach(() => settings.set({ mayShorten: 'not_guests' }))

test.each<[string, (person: PersonDriver) => Promise<void>]>([
  ['the command alone', (person) => person.types('/shorten', { in: 'general' })],
  ['the shortcut', (person) => person.runsShortcut('shorten_link')],
  [
    'the message shortcut',
    async (person) => {
      const message = await person.posts('See https://example.com/a-message')
      await person.runsMessageShortcut('shorten_message_links', 'general', message)
    },
  ],
  [
    'a Home tab that was opened before the setting changed',
    async (person) => {
      await settings.set({})
      await person.opensHome()
      await person.seesHome('"Shorten a link"')
      await settings.set({ mayShorten: 'not_guests' })
      await person.presses('Shorten a link', { in: 'home' })
    },
  ],
])(
  '%s opens the form for a member, and explains to a guest why it doesn’t open',
  async (_name, goes) => {
    await goes(ben)
    await ben.seesModal('destination_url')
    await goes(gil)
    await gil.seesModal(REFUSED)
    expect(gil.modal()?.view['submit']).toBeUndefined()
  },
)

const MAY_NOT_SEE =
  'Guests can’t see the short links of this workspace. Ask the person who invited you, or any member, for the link that you need.'

test('a guest sees no list', async () => {
  await ben.asks('/shorten https://example.com/of-a-member', { for: 'Your short link' })
  const answer = await gil.asks('/shorten list', { for: MAY_NOT_SEE })
  expect(JSON.stringify(answer)).not.toContain('of-a-member')
  await ben.asks('/shorten list', { for: 'of-a-member' })
})

test('a guest’s Home tab shows neither links nor the connection', async () => {
  await gil.opensHome()
  const home = await gil.seesHome(MAY_NOT_SEE)
  expect(home).not.toContain('Connected to')
  expect(home).not.toContain('of-a-member')
  expect(home).not.toContain('Try again')

  slack.failNext('users.info', { error: 'internal_error' })
  await ben.opensHome()
  await ben.seesHome('Backhalf couldn’t find out from Slack whether you are one.')
  await ben.presses('Try again', { in: 'home' })
  await ben.seesHome('of-a-member')
})

test('a guest’s list that was open before the setting changed shows no other page and no link', async () => {
  await settings.set({})
  const list = await gil.asks('/shorten list', { for: 'Most recent first' })
  await settings.set({ mayShorten: 'not_guests' })
  await gil.chooses('Oldest first', { in: 'general', message: list })
  await until(() => texts(gil.newest('general')).includes(MAY_NOT_SEE))
})

test('a guest’s command creates no link', async () => {
  const answer = await gil.asks('/shorten https://example.com/of-a-guest', { for: REFUSED })
  expect(JSON.stringify(answer)).not.toContain('Your short link')
})

test('a guest’s form that was open before the setting changed sends nothing, and keeps what was typed', async () => {
  await settings.set({})
  await gil.opens('/shorten')
  await settings.set({ mayShorten: 'not_guests' })
  gil.fills({ Destination: 'https://example.com/typed' })
  await gil.submits()
  await gil.seesModal(REFUSED)
  expect(gil.form()).toMatchObject({ destination_url: 'https://example.com/typed' })
})

test('asks Slack who is a guest only if guests can’t shorten links, and refuses everyone if Slack fails', async () => {
  await settings.set({})
  // Ana has not opened her Home tab. A refresh of it would ask Slack, too. The link service gets her user name.
  slack.failNext('users.info', { error: 'internal_error' })
  await ana.asks('/shorten https://example.com/welcome', { for: 'Your short link' })
  await settings.set({ mayShorten: 'not_guests' })
  slack.failNext('users.info', { error: 'internal_error' })
  await ana.asks('/shorten https://example.com/asked', {
    for: 'Guests can’t shorten links in this workspace, and Backhalf couldn’t find out from Slack whether you are one. Please try again in a minute.',
  })
})
