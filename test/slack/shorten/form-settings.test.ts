import { expect } from 'vitest'
import { templateKey } from '../../../src/workspaces/utm.ts'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { failure, fieldsIn } from '../../support/fake-link-service.ts'
import { createFakeClock } from '../../support/platform.ts'
import { texts } from '../../support/texts.ts'

/** Longer than Slack's menus accept. */
const LONG_ID = `dom_${'x'.repeat(96)}`

const NEWSLETTER = {
  name: 'Newsletter',
  values: { utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'spring' },
}
const NO_RULES = { lowerCase: false, spaces: null, sources: [], mediums: [] }

const { test, ana, ben, until, service, settings } = withAppElsewhere({
  clock: createFakeClock(),
  config: { fallback: { apiKey: 'key-1', domain: LONG_ID } },
})

/** Opens Ana's form with its UTM parameters. Who has used some, or has templates, need not reveal them. */
async function openUtm(): Promise<void> {
  await ana.opens('/shorten')
  if (texts(ana.modal()).includes('Add UTM parameters')) await ana.presses('Add UTM parameters')
  await ana.seesModal('utm_source')
}

/** The fields of the only request that the service received. */
async function sent(): Promise<Record<string, string>> {
  const request = await until(() => service.received[0])
  expect(service.received).toHaveLength(1)
  return fieldsIn(request)
}

/** What every request for https://example.com/page has. */
const PAGE = { destination_url: 'https://example.com/page', domain: LONG_ID }

test('a new form starts from the QR settings, and the user’s choice takes precedence', async () => {
  await settings.set({ qr: { enabled: false, color: '#1F4F46' } })
  await ana.opens('/shorten')
  expect(ana.form()).toMatchObject({ qr_code_enabled: [], qr_code_color: '#1F4F46' })
  ana.fills({ Destination: 'https://example.com/page', 'QR code': ['Create a QR code'] })
  ana.fills({ 'QR color': null })
  await ana.submits()
  expect(await sent()).toEqual({ ...PAGE, qr_code_enabled: 'true', qr_code_color: '#1F4F46' })
})

test.each<[string, Record<string, string>]>([
  ['', { qr_code_enabled: 'false' }],
  [' qr=on', { qr_code_enabled: 'true', qr_code_color: '#1F4F46' }],
  [' color=#102030', { qr_code_enabled: 'true', qr_code_color: '#102030' }],
])(
  'a command with the options “%s” makes the QR code that they ask for',
  async (options, expected) => {
    await settings.set({ qr: { enabled: false, color: '#1F4F46' } })
    await ana.types(`/shorten https://example.com/page${options}`, { in: 'general' })
    expect(await sent()).toEqual({ ...PAGE, ...expected })
  },
)

test('a template overwrites what is in its fields, each time that it is chosen', async () => {
  await settings.set({ templates: [NEWSLETTER] })
  await openUtm()
  ana.fills({ Destination: 'https://example.com/page', 'UTM source': 'mine', 'UTM term': 'shoes' })
  await ana.chooses('Newsletter')
  await ana.seesModal('"initial_value":"spring"')
  ana.fills({ 'UTM campaign': 'summer', Title: 'Kept' })
  await ana.chooses('Newsletter')
  await ana.seesModal('utm_campaign~2')
  ana.fills({ 'UTM ID': '7' })
  await ana.submits()
  const others = { title: 'Kept', utm_term: 'shoes', utm_id: '7' }
  expect(await sent()).toMatchObject({ ...NEWSLETTER.values, ...others })
})

test('a template that was deleted meanwhile changes nothing in the form', async () => {
  await settings.set({ templates: [NEWSLETTER] })
  await openUtm()
  ana.fills({ 'UTM source': 'mine' })
  await settings.set({ templates: [] })
  await ana.chooses('Newsletter')
  await until(() => !texts(ana.modal()).includes('Newsletter'))
  expect(ana.form()).toMatchObject({ utm_source: 'mine' })
})

test('a command finds a template in any case, and the form behind “Change something” has its values', async () => {
  await settings.set({ templates: [NEWSLETTER] })
  service.answers(() => failure(422, 'VALIDATION_ERROR'))
  const command = '/shorten https://example.com/page qr=off template=NEWSLETTER utm_campaign=mine'
  await ana.asks(command, { for: 'Change something' })
  const values = { ...NEWSLETTER.values, utm_campaign: 'mine' }
  expect(await sent()).toMatchObject(values)
  await ana.presses('Change something', { in: 'general' })
  await ana.seesModal()
  expect(ana.form()).toMatchObject({ qr_code_enabled: [], ...values })
})

test('names the existing templates if the command’s template doesn’t exist', async () => {
  await settings.set({ templates: [NEWSLETTER, { ...NEWSLETTER, name: 'Poster' }] })
  await ana.asks('/shorten https://example.com/page template=Flyer', {
    for: 'UTM template: There is no template “Flyer”. Use “Newsletter” or “Poster”.',
  })
  expect(service.received).toEqual([])
  await ana.presses('Change something', { in: 'general' })
  await ana.seesModal('There is no template “Flyer”.')
  expect(ana.form()).toMatchObject({ destination_url: 'https://example.com/page' })
})

test('a command says what the naming rules changed', async () => {
  await settings.set({ naming: { ...NO_RULES, lowerCase: true, spaces: '-' } })
  await ana.asks('/shorten https://example.com/named utm_campaign="A & B" utm_source=poster', {
    for: 'naming rules changed what you typed. UTM campaign: A &amp; B → a-&amp;-b.',
  })
})

test('the form shows what the naming rules change before it sends anything', async () => {
  await settings.set({ naming: { ...NO_RULES, lowerCase: true, spaces: '-' } })
  await openUtm()
  const destination_url = 'https://example.com/page?utm_term=Stays As It Is'
  const title = 'Spring Sale'
  ana.fills({ destination_url, title, utm_source: 'poster', utm_campaign: title })
  await ana.submits()
  await ana.seesModal('naming rules')
  expect(texts(ana.modal())).toContain(
    'This workspace’s naming rules changed what you typed. UTM campaign: Spring Sale → spring-sale. Press Create to continue.',
  )
  expect(ana.form()).toMatchObject({ 'utm_campaign~1': 'spring-sale' })
  expect(service.received).toEqual([])

  await ana.submits()
  const utm = { utm_source: 'poster', utm_campaign: 'spring-sale' }
  expect(await sent()).toMatchObject({ destination_url, title, ...utm })
})

test('the form keeps a source that the naming rules forbid, and refuses it at its field', async () => {
  const templates = [{ name: 'Billboard', values: { utm_source: 'Billboard' } }]
  await settings.set({ templates })
  await openUtm()
  ana.fills({ Destination: 'https://example.com/page', 'UTM medium': 'EMAIL' })
  const lists = { sources: ['Poster', 'R&D'], mediums: ['E-Mail', 'email'] }
  await settings.set({ templates, naming: { ...NO_RULES, lowerCase: true, ...lists } })
  await ana.chooses('Billboard')
  await ana.seesModal('utm_source~1')
  const refusal = '“billboard” isn’t one of this workspace’s sources. Use “poster” or “r&d”.'
  expect(texts(ana.modal())).toContain(`:warning: ${refusal.replace('&', '&amp;')}`)
  expect(ana.form()).toMatchObject({
    'utm_source~1': { value: 'billboard' },
    'utm_medium~1': { value: 'email' },
  })
  await ana.submits()
  expect(await ana.seesErrors()).toEqual({ 'utm_source~1': refusal })
  expect(service.received).toEqual([])
  ana.fills({ 'UTM source': 'r&d' })
  await ana.submits()
  expect(await sent()).toMatchObject({ utm_source: 'r&d', utm_medium: 'email' })
})

test('a forbidden source that is too long for a menu is shown in an input', async () => {
  const long = 'billboard-'.repeat(10)
  await settings.set({
    templates: [{ name: 'Billboard', values: { utm_source: long } }],
    naming: { ...NO_RULES, sources: ['poster'] },
  })
  await openUtm()
  await ana.chooses('Billboard')
  await ana.seesModal('utm_source~1')
  expect(ana.form()).toMatchObject({ 'utm_source~1': long })
})

test('offers the values that a user used last to that user alone', async () => {
  // The menu must not confuse a template of this name with the values.
  const lookalike = { name: 'last_used', values: { utm_source: 'letter' } }
  await settings.set({ templates: [NEWSLETTER, lookalike] })
  await ana.asks('/shorten https://example.com/page utm_source=poster utm_id=3', { for: 'ID *3*' })
  await ana.asks('/shorten https://example.com/page', { for: 'Your short link' })
  await openUtm()
  await ana.chooses('Last used: poster / 3')
  await ana.seesModal('utm_source~1')
  expect(ana.form()).toMatchObject({ 'utm_source~1': 'poster', 'utm_id~1': '3' })
  await ana.chooses(templateKey('last_used'))
  await ana.seesModal('utm_source~2')
  expect(ana.form()).toMatchObject({ 'utm_source~2': 'letter' })

  expect(await ben.opens('/shorten', 'Newsletter')).not.toContain('Last used')
})
