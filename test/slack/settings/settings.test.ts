import { beforeEach, expect } from 'vitest'
import { PEOPLE_PATH } from '../../../src/contract/endpoints.ts'
import type { Modal } from '../../../src/simulator/protocol.ts'
import { TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { failure, success, type Answer } from '../../support/fake-link-service.ts'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { offersDocument } from '../../support/offers-document.ts'
import { createFakeClock } from '../../support/platform.ts'
import { texts } from '../../support/texts.ts'

const SECRET = 'a-key-of-the-tests-1234'

const { test, slack, ana, ben, until, service } = withAppElsewhere({
  clock: createFakeClock(),
  answers: () => ({ status: 200, body: { links: [] } }),
  config: { fallback: undefined },
})

test.beforeAll(async ({ app: _app }) => {
  await ana.opens('/shorten connect', 'api_key')
  ana.fills({ 'API key': SECRET, Domains: 'dom_1 go.example.com\ndom_2 x.example.com' })
  await ana.submits()
  await ana.seesModal('is connected')
  await ana.closes()
})
beforeEach(async () => {
  await ana.types('/shorten settings', { in: 'general' })
  await top('settings')
})

/** Waits until Ana's top modal has this callback_id and contains this text. */
async function top(callbackId: string, text = ''): Promise<Modal> {
  return until(() => {
    const modal = ana.modal()
    return modal?.view['callback_id'] === callbackId && texts(modal).includes(text) && modal
  })
}

/** Waits for a notice, closes it, and waits until the settings below contain a text. */
async function closesNotice(notice: string, settings = ''): Promise<void> {
  await top('notice', notice)
  await ana.closes()
  await top('settings', settings)
}

/** Opens a form of the settings with its button. */
async function open(button: string, callbackId: string): Promise<Modal> {
  await ana.presses(button)
  return top(callbackId)
}

test('shows an admin the current settings, but never the key', () => {
  const shown = texts(ana.modal())
  expect(shown).toContain(service.baseUrl)
  expect(shown).toContain('`1234`')
  expect(shown).toContain(`Connected by <@${ana.id}> on <!date^`)
  expect(shown).toContain('New links are created on *go.example.com*, with 1 other to choose from.')
  expect(shown).toContain('Every link gets one, in black.')
  // The service doesn't offer reports.
  expect(shown).not.toContain('Weekly report')
  expect(JSON.stringify(ana.modal())).not.toContain(SECRET)
})

test('tells a user who is not an admin whom to ask', async () => {
  for (const command of ['/shorten settings', '/shorten connect', '/shorten disconnect']) {
    await ben.types(command, { in: 'general' })
    await ben.seesModal('Only admins and owners of this workspace can do this. Ask one of them.')
    expect(ben.modal()?.view['submit']).toBeUndefined()
    await ben.closes()
  }
})

test('QR codes: refuses a color that can’t be scanned, and saves one that can', async () => {
  await open('edit_qr', 'settings_qr')
  ana.fills({ 'QR color': '#ffff00' })
  await ana.submits()
  expect(await ana.seesErrors()).toEqual({
    qr_code_color: '#ffff00 is too pale: phones couldn’t scan it on white. Choose a darker color.',
  })
  ana.fills({ 'QR color': '#1F4F46', 'QR code': [] })
  await ana.submits()
  await top('settings', 'A link gets one only if its creator asks for it, in #1F4F46.')
  await open('edit_qr', 'settings_qr')
  expect(ana.form()).toMatchObject({ qr_code_color: '#1F4F46' })
})

test('domains: the connect form changes them without the key, reports errors with their line, and makes the first one the default', async () => {
  await open('edit_domains', 'connect_form')
  expect(ana.form()).toMatchObject({ domains: 'dom_1 go.example.com\ndom_2 x.example.com' })
  ana.fills({ Domains: 'dom_1 go.example.com\nnothing\ndom_2 x.example.com' })
  await ana.submits()
  expect((await ana.seesErrors())['domains']).toContain('Line 2')
  ana.fills({ Domains: 'dom_2 x.example.com\ndom_1 go.example.com\ndom_3 y.example.com' })
  await ana.submits()
  await closesNotice('is connected', 'created on *x.example.com*, with 2 others to choose from.')

  await open('edit_domains', 'connect_form')
  ana.fills({ Domains: 'dom_3 y.example.com' })
  await ana.submits()
  await closesNotice('This workspace is connected.', 'New links are created on *y.example.com*.')
  expect(texts(ana.modal())).toContain('`1234`')
})

test('naming rules and templates: rewrites values by the rules, and refuses disallowed ones', async () => {
  await open('edit_naming', 'settings_naming')
  ana.fills({ Case: ['on'], Spaces: 'hyphen' })
  ana.fills({ 'Allowed sources': 'News Letter\nSocial', 'Allowed mediums': 'email' })
  await ana.submits()
  await top('settings', 'lower case, `-` for spaces, 2 allowed sources, 1 allowed medium.')

  await open('edit_templates', 'settings_templates')
  await open('add_template', 'settings_template')
  ana.fills({ Name: 'Spring', 'UTM source': 'Twitter' })
  await ana.submits()
  expect(await ana.seesErrors()).toEqual({
    utm_source: '“twitter” isn’t one of this workspace’s sources. Use “news-letter” or “social”.',
  })
  ana.fills({ 'UTM source': 'NEWS letter', 'UTM campaign': 'Spring Sale' })
  await ana.submits()
  await top('settings_templates', 'source: news-letter  ·  campaign: spring-sale')

  await ana.chooses('Edit', { of: 'template_menu' })
  await top('settings_template')
  expect(ana.form()).toMatchObject({ template_name: 'Spring', utm_source: 'news-letter' })
  await ana.closes()
  await ana.closes()
  await top('settings', '1: Spring')

  await open('edit_naming', 'settings_naming')
  ana.fills({ 'Allowed sources': 'social' })
  await ana.submits()
  await closesNotice('not on the lists. Please edit them: *Spring*.', '1: Spring')

  await open('edit_templates', 'settings_templates')
  await top('settings_templates', 'The naming rules don’t allow these values. Please edit them.')
  await ana.chooses('Delete…', { of: 'template_menu' })
  await top('settings_delete_template', '*Spring*')
  await ana.submits()
  await top('settings_templates', 'There are no templates yet')
  await ana.closes()
  await top('settings', 'None yet.')
  await open('edit_naming', 'settings_naming')
  ana.fills({ 'Allowed sources': '', 'Allowed mediums': '', Case: [], Spaces: 'as_typed' })
  await ana.submits()
  await top('settings', 'None. Values stay as they are typed.')
})

test('saves who can shorten and change links, and keeps the other settings', async () => {
  await open('edit_may_shorten', 'settings_may_shorten')
  ana.fills({ 'Who can shorten links': 'not_guests', 'Who can change a link': 'everyone' })
  await ana.submits()
  await top('settings', 'Everyone except guests can shorten links. Everyone who can shorten links')
  expect(texts(ana.modal())).toContain('#1F4F46')
  await open('edit_may_shorten', 'settings_may_shorten')
  expect(ana.form()).toMatchObject({ may_change: { value: 'everyone' } })
  const creator = 'The person who created it, and admins'
  ana.fills({ 'Who can shorten links': 'everyone', 'Who can change a link': creator })
  await ana.submits()
  await top('settings', 'Everyone, including guests, can shorten links. A link can be changed by')
})

test('saves nothing and keeps the form open if Slack doesn’t say who is an admin', async () => {
  const { failNext } = slack
  await open('edit_may_shorten', 'settings_may_shorten')
  ana.fills({ 'Who can shorten links': 'not_guests' })
  failNext('users.info', { error: 'user_not_found' })
  await ana.submits()
  await top('settings_may_shorten', 'Something went wrong')
  expect(ana.form()).toMatchObject({ may_shorten: { value: 'not_guests' } })
  await ana.closes()
  await top('settings', 'Everyone, including guests, can shorten links.')
})

test('erases a person’s ID, if it is one, and no longer shows that they connected the workspace', async () => {
  await open('erase_person', 'settings_erase_person')
  ana.fills({ 'Member ID': 'ana', Confirm: ['on'] })
  await ana.submits()
  expect(Object.keys(await ana.seesErrors())).toEqual(['person'])
  ana.fills({ 'Member ID': ana.id })
  await ana.submits()
  await top('notice', 'Erased. Backhalf has no records of links that they created.')
  await ana.closes()
  // The settings below are updated after the form. Slack would refuse that once they are closed.
  await until(() => !texts(ana.modal()).includes(`<@${ana.id}>`))
})

test('does not say that the link service has listed domains or erased a person if it has not', async () => {
  const erases = async (answer: Answer): Promise<void> => {
    service.answers(() => answer)
    await ana.submits()
  }
  service.describes({ status: 200, body: offersDocument() })
  await ana.opensHome()
  await open('reconnect', 'connect_form')
  // The offers are read again only for another key.
  ana.fills({ 'API key': `another-${SECRET}`, Domains: 'dom_1 go.example.com' })
  await ana.submits()
  await closesNotice('is connected')
  service.answers(() => failure(500, 'X'))
  await open('edit_domains', 'notice')
  await ana.seesModal('The link service failed (error 500).')
  await ana.closes()
  await open('erase_person', 'settings_erase_person')
  ana.fills({ 'Member ID': ben.id, Confirm: ['on'] })
  await erases(failure(403, 'PERMISSION_DENIED'))
  const { person } = await ana.seesErrors()
  expect(person).toMatch(/^Erased in Backhalf, but not at the link service.* press Erase again\.$/)
  expect(ana.form()).toMatchObject({ person: ben.id })

  await erases(success({}))
  await top('notice', 'Erased.')
  const erased = service.received.filter(({ method }) => method === 'DELETE')
  const { url } = erased.at(-1) ?? {}
  expect(url).toBe(`${PEOPLE_PATH}/${TEAM.id}-${ben.id}`)
  // The Home tab is drawn after the settings below, which must be open until then.
  await expect.poll(() => service.received.at(-1)?.method).toBe('GET')
})

test('says what a disconnect deletes and keeps, and then that it is done', async () => {
  await open('disconnect', 'disconnect_form')
  expect(texts(ana.modal())).toContain(
    '*What is deleted:* the API key, the list of domains and the schedule of the weekly report.',
  )
  expect(texts(ana.modal())).toContain('*What stays:* all links and their QR codes keep working.')
  expect(texts(ana.modal())).not.toContain('Their history still names')
  await ana.submits()
  await closesNotice('is disconnected', `Disconnected by <@${ana.id}> on <!date^`)
  await ben.asks('/shorten https://example.com', { for: 'isn’t connected' })

  await open('reconnect', 'connect_form')
  ana.fills({ 'API key': SECRET, Domains: 'dom_1 go.example.com' })
  await ana.submits()
  await closesNotice('is connected', 'Connected by')
})
