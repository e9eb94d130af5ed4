import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Modal } from '../../../src/simulator/protocol.ts'
import { startAppElsewhere, type AppElsewhere } from '../../support/app-elsewhere.ts'
import type { ForeignService } from '../../support/fake-link-service.ts'
import { texts } from '../../support/texts.ts'

const SECRET = 'a-key-of-the-tests-1234'

let service: ForeignService
let app: AppElsewhere

beforeAll(async () => {
  app = await startAppElsewhere(() => ({ status: 200, body: { links: [] } }), {
    fallback: undefined,
  })
  service = app.service
  const { ana, until } = app.slack
  await ana.types('/shorten connect', { in: 'general' })
  await until(() => texts(ana.modal()).includes('api_key'))
  ana.fills({ 'API key': SECRET, Domains: 'dom_1 go.example.com\ndom_2 x.example.com' })
  await ana.submits()
  await until(() => texts(ana.modal()).includes('is connected'))
  await ana.closes()
})
beforeEach(async () => {
  const { ana } = app.slack
  await ana.types('/shorten settings', { in: 'general' })
  await top('settings')
})
afterEach(async () => {
  await app.slack.ana.closesAll()
  expect(app.slack.takeRefusals()).toEqual([])
})
afterAll(() => app.stop())

/** Ana's top modal, once it is this one and holds this text. */
async function top(callbackId: string, holding = ''): Promise<Modal> {
  const { ana, until } = app.slack
  const open = await until(() => {
    const modal = ana.modal()
    return modal?.view['callback_id'] === callbackId && texts(modal).includes(holding) && modal
  })
  return open
}

/** Opens a form of the settings by its button. */
async function opens(button: string, callbackId: string): Promise<Modal> {
  await app.slack.ana.presses(button)
  return top(callbackId)
}

async function errors(): Promise<Record<string, string>> {
  const { ana, until } = app.slack
  await until(() => Object.keys(ana.modal()?.errors ?? {}).length > 0)
  return ana.modal()?.errors ?? {}
}

test('an admin sees what is set, and never the key', () => {
  const { ana } = app.slack
  const shown = texts(ana.modal())
  expect(shown).toContain(service.baseUrl)
  expect(shown).toContain('`1234`')
  expect(shown).toContain(`Connected by <@${ana.id}> on <!date^`)
  expect(shown).toContain('New links are made on *go.example.com*, and 1 other to choose from.')
  expect(shown).toContain('Every link gets one in black.')
  expect(JSON.stringify(ana.modal())).not.toContain(SECRET)
})

test('who is no admin is told who can help', async () => {
  const { ana, ben, until } = app.slack
  for (const command of ['/shorten settings', '/shorten disconnect']) {
    await ben.types(command, { in: 'general' })
    await until(() => texts(ben.modal()).includes(`<@${ana.id}>`))
    expect(texts(ben.modal())).toContain('Only admins and owners')
    expect(ben.modal()?.view['submit']).toBeUndefined()
    await ben.closes()
  }
})

test('QR codes: a colour that can’t be scanned is refused; a good one shows on the settings', async () => {
  const { ana } = app.slack
  await opens('edit_qr', 'settings_qr')
  ana.fills({ 'QR colour': '#ffff00' })
  await ana.submits()
  expect(await errors()).toEqual({
    qr_code_color: '#ffff00 is too pale: phones couldn’t scan it on white. Choose a darker colour.',
  })
  ana.fills({ 'QR colour': '#1F4F46', 'QR code': [] })
  await ana.submits()
  await top('settings', 'Only who asks for one gets one in #1F4F46.')
  await opens('edit_qr', 'settings_qr')
  expect(ana.form()).toMatchObject({ qr_code_color: '#1F4F46' })
})

test('domains: the chosen one becomes the default, faults are named with their line', async () => {
  const { ana } = app.slack
  await opens('edit_domains', 'settings_domains')
  expect(ana.form()).toMatchObject({ domains: 'dom_1 go.example.com\ndom_2 x.example.com' })
  ana.fills({ Domains: 'dom_1 go.example.com\nnothing\ndom_2 x.example.com' })
  await ana.submits()
  expect((await errors())['domains']).toContain('Line 2')
  ana.fills({
    Domains: 'dom_1 go.example.com\ndom_2 x.example.com\ndom_3 y.example.com',
    'Default domain': 'x.example.com',
  })
  await ana.submits()
  await top('settings', 'New links are made on *x.example.com*, and 2 others to choose from.')

  await opens('edit_domains', 'settings_domains')
  ana.fills({ Domains: 'dom_3 y.example.com' })
  await ana.submits()
  await top('settings', 'New links are made on *y.example.com*.')
  expect(texts(ana.modal())).toContain('`1234`')
})

/** What the inputs for domains hold, by block_id; an empty one holds an empty text. */
function domainTexts(): [block: string, text: string][] {
  return Object.entries(app.slack.ana.form()).flatMap(([block, text]) =>
    block.startsWith('domains') ? [[block, typeof text === 'string' ? text : '']] : [],
  )
}

test('a hundred domains with the longest names fit the forms, and are kept', async () => {
  const { ana } = app.slack
  const host = `${'h'.repeat(60)}.`.repeat(4)
  const lines = Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(75, 'x') + ` ${at}.${host}ex`)
  let kept = 0
  while (kept < lines.length) {
    await opens('edit_domains', 'settings_domains')
    const [block, text] = domainTexts().at(-1) ?? ['', '']
    const room = Math.floor((3000 - text.length) / 330)
    const more = lines.slice(kept, kept + room)
    ana.fills({ [block]: [...(kept > 0 && text ? [text] : []), ...more].join('\n') })
    await ana.submits()
    kept += more.length
    await top('settings', `, and ${kept - 1} others to choose from`)
  }
  await opens('edit_domains', 'settings_domains')
  const held = domainTexts().flatMap(([, text]) => (text ? text.split('\n') : []))
  expect(held).toEqual(lines)
  await ana.closes()

  await opens('reconnect', 'connect_form')
  expect(domainTexts().flatMap(([, text]) => (text ? text.split('\n') : []))).toEqual(lines)
  await ana.closes()

  await opens('edit_domains', 'settings_domains')
  ana.fills(Object.fromEntries(domainTexts().map(([block]) => [block, ''])))
  ana.fills({ domains: 'dom_1 go.example.com' })
  await ana.submits()
  await top('settings', 'New links are made on *go.example.com*.')
})

test('naming rules and templates: values are written as the rules have them, and held against them', async () => {
  const { ana } = app.slack
  await opens('edit_naming', 'settings_naming')
  ana.fills({
    Case: ['on'],
    Spaces: 'hyphen',
    'Allowed sources': 'News Letter\nSocial\nnews letter',
  })
  await ana.submits()
  expect(await errors()).toEqual({
    allowed_sources: 'Line 3: “news-letter” stands there already.',
  })
  ana.fills({ 'Allowed sources': 'News Letter\nSocial' })
  await ana.submits()
  await top('settings', 'Everything in lower case, `-` for spaces, 2 allowed sources.')

  await opens('edit_templates', 'settings_templates')
  await opens('add_template', 'settings_template')
  ana.fills({ Name: 'Spring', 'UTM source': 'Twitter' })
  await ana.submits()
  expect(await errors()).toEqual({
    utm_source: '“twitter” isn’t one of this workspace’s sources. Use “news-letter” or “social”.',
  })
  ana.fills({ 'UTM source': 'NEWS letter', 'UTM campaign': 'Spring Sale' })
  await ana.submits()
  await top('settings_templates', 'source: news-letter  ·  campaign: spring-sale')

  await opens('add_template', 'settings_template')
  ana.fills({ Name: ' spring ' })
  await ana.submits()
  expect(await errors()).toEqual({
    template_name: 'There is a template “Spring” already.',
    utm_source: 'Fill in at least one of the six.',
  })
  await ana.closes()

  await ana.chooses('Edit', { of: 'template_menu' })
  await top('settings_template')
  expect(ana.form()).toMatchObject({ template_name: 'Spring', utm_source: 'news-letter' })
  ana.fills({ Name: 'Summer' })
  await ana.submits()
  await top('settings_templates', '*Summer*')
  expect(texts(ana.modal())).not.toContain('*Spring*')
  await ana.closes()
  await top('settings', '1: Summer')

  await opens('edit_naming', 'settings_naming')
  ana.fills({ 'Allowed sources': 'social' })
  await ana.submits()
  await top('notice', 'want editing: *Summer*')
  await ana.closes()
  await top('settings', '1 template with values that the naming rules don’t allow')

  await opens('edit_templates', 'settings_templates')
  await ana.chooses('Delete…', { of: 'template_menu' })
  await top('settings_delete_template', '*Summer*')
  await ana.submits()
  await top('settings_templates', 'There are no templates yet')
  await ana.closes()
  await top('settings', 'None yet.')
  await opens('edit_naming', 'settings_naming')
  ana.fills({ 'Allowed sources': '', Case: [], Spaces: 'as_typed' })
  await ana.submits()
  await top('settings', 'None: values stay as they are typed.')
})

test('who may shorten is kept, and the other settings stay', async () => {
  const { ana } = app.slack
  await opens('edit_may_shorten', 'settings_may_shorten')
  ana.fills({ 'Who may shorten links': 'not_guests' })
  await ana.submits()
  await top('settings', 'Everyone except guests.')
  expect(texts(ana.modal())).toContain('#1F4F46')
  await opens('edit_may_shorten', 'settings_may_shorten')
  ana.fills({ 'Who may shorten links': 'everyone' })
  await ana.submits()
  await top('settings', 'Everyone, guests as well.')
})

test('when Slack doesn’t say who is an admin, nothing is saved and the form stays', async () => {
  const { ana, failNext } = app.slack
  await opens('edit_may_shorten', 'settings_may_shorten')
  ana.fills({ 'Who may shorten links': 'not_guests' })
  failNext('users.info', { error: 'user_not_found' })
  await ana.submits()
  await top('settings_may_shorten', 'Something went wrong')
  expect(ana.form()).toMatchObject({ may_shorten: { value: 'not_guests' } })
  await ana.closes()
  await top('settings', 'Everyone, guests as well.')
})

test('disconnecting says what goes and what stays, and then says that it is done', async () => {
  const { ana, ben, until } = app.slack
  await opens('disconnect', 'disconnect_form')
  expect(texts(ana.modal())).toContain('every link keeps working')
  await ana.submits()
  await top('notice', 'is disconnected')
  await ana.closes()
  await top('settings', `Disconnected by <@${ana.id}> on <!date^`)
  await ben.types('/shorten https://example.com', { in: 'general' })
  await until(() => JSON.stringify(ben.newest('general') ?? {}).includes('isn’t connected'))

  await opens('reconnect', 'connect_form')
  ana.fills({ 'API key': SECRET, Domains: 'dom_1 go.example.com' })
  await ana.submits()
  await top('notice', 'is connected')
  await ana.closes()
  await top('settings', 'Connected by')
})
