import { afterEach, expect, test } from 'vitest'
import type { Message } from '../../../src/simulator/protocol.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { startAppElsewhere, type AppElsewhere } from '../../support/app-elsewhere.ts'
import { created, failure, type Responder } from '../../support/fake-link-service.ts'
import type { PersonDriver } from '../../support/person.ts'
import { texts } from '../../support/texts.ts'

let app: TestApp

afterEach(async () => {
  expect(app.slack.takeRefusals()).toEqual([])
  await app.stop()
})

const titles = (content: unknown): string[] =>
  [...JSON.stringify(content ?? '').matchAll(/\u2068((?:Spring|Winter) \d+)\u2069/g)].map(
    ([, title = '']) => title,
  )

async function make(person: PersonDriver, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const destination = `https://example.com/${name.replace(' ', '-').toLowerCase()}`
    await person.asks(`/shorten ${destination} title="${name}" qr=off`, {
      in: 'marketing',
      for: `*${name}*`,
    })
  }
}

const types = (person: PersonDriver, text: string): Promise<Message> => person.asks(text)

/** Waits until the newest list contains a text. */
const shows = (person: PersonDriver, text: string): Promise<unknown> =>
  app.slack.until(() => texts(person.newest('general')).includes(text))

const numbered = (name: string, from: number, to: number): string[] =>
  Array.from({ length: from - to + 1 }, (_, index) => `${name} ${from - index}`)

test('searches, pages, sorts and filters in one list, and its menu finds a link', async () => {
  app = await startApp()
  const { ana, ben } = app.slack
  await make(ben, ['Winter 1', 'Spring 1'])
  await make(ana, numbered('Spring', 12, 2).toReversed().concat(['Winter 2']))
  const first = await types(ana, '/shorten list SPRING')
  expect(texts(first)).toContain('Links with “\u2068SPRING\u2069”.')
  expect(texts(first)).not.toContain('can’t search')
  expect(titles(first.blocks)).toEqual(numbered('Spring', 12, 3))
  expect(texts(first)).toContain('Page 1 of 2  ·  12 links')

  await ana.presses('Next', { in: 'general' })
  await shows(ana, 'Page 2 of 2')
  expect(titles(ana.newest('general')?.blocks)).toEqual(['Spring 2', 'Spring 1'])
  await ana.chooses('Oldest first', { in: 'general' })
  await shows(ana, 'Page 1 of 2')
  expect(titles(ana.newest('general')?.blocks)[0]).toBe('Spring 1')
  await ana.chooses('My links', { in: 'general' })
  await shows(ana, 'Links that you made in Slack with “\u2068SPRING\u2069”.')
  expect(titles(ana.newest('general')?.blocks)).toEqual(numbered('Spring', 11, 2).toReversed())
  expect(texts(ana.newest('general'))).toContain('0 clicks')

  await ana.presses('Search', { in: 'general' })
  await ana.seesModal()
  expect(ana.form()).toEqual({ search_text: 'SPRING' })
  ana.fills({ 'Search for': 'Winter' })
  await ana.submits()
  await shows(ana, '“\u2068Winter\u2069”')
  expect(titles(ana.newest('general')?.blocks)).toEqual(['Winter 2'])
  expect(ana.modal()).toBeUndefined()
  await ana.chooses('Share, QR code, copy', { in: 'general' })
  await ana.seesModal('Copy as text')
  await ana.presses('Copy as text')
  await ana.seesModal('preformatted')
  expect(texts(ana.modal())).toContain('winter-2')
  await ana.closes()

  await ana.presses('Show all links', { in: 'general' })
  await shows(ana, 'Page 1 of 2  ·  14 links')
})

test('explains in an answer and in the search form what is wrong with the text', async () => {
  app = await startApp()
  const { ana } = app.slack
  await make(ana, ['Spring 1'])
  const tooShort = '“ab” is too short to search for. Type at least 3 characters.'
  expect(texts(await types(ana, '/shorten list ab'))).toContain('/shorten list ab')
  await shows(ana, tooShort)

  await types(ana, '/shorten list')
  await ana.presses('Search', { in: 'general' })
  await ana.seesModal()
  ana.fills({ 'Search for': ' ab ' })
  await ana.submits()
  expect(await ana.seesErrors()).toEqual({ search_text: tooShort })
  ana.fills({ 'Search for': 'nothing like it' })
  await ana.submits()
  await shows(ana, 'No links with “\u2068nothing like it\u2069” were found.')
})

test('lists only the links that the user made', async () => {
  app = await startApp()
  const { ana, ben } = app.slack
  await make(ben, ['Spring 1'])
  expect(texts(await types(ana, '/shorten list mine'))).toContain(
    'There are no links that you made in Slack.',
  )
  await ana.presses('Show all links', { in: 'general' })
  await shows(ana, 'Spring 1')
  const own = await types(ben, '/shorten list mine')
  expect(titles(own.blocks)).toEqual(['Spring 1'])
  expect(texts(own)).toMatch(/http:\/\/localhost:\d+/)
})

test('filters and searches in the Home tab', async () => {
  app = await startApp()
  const { ana, ben, until } = app.slack
  await make(ben, ['Spring 1'])
  await make(ana, ['Spring 2', 'Winter 1'])
  const shown = (): string => JSON.stringify(ana.home()?.['blocks'] ?? [])
  await ana.opensHome()
  await until(() => shown().includes('3 links'))
  await ana.chooses('My links', { in: 'home' })
  await until(() => shown().includes('*My links*'))
  expect(titles(ana.home())).toEqual(['Winter 1', 'Spring 2'])

  await ana.presses('Search', { in: 'home' })
  await ana.seesModal()
  ana.fills({ 'Search for': 'spring' })
  await ana.submits()
  await until(() => shown().includes('with “\u2068spring\u2069”'))
  expect(titles(ana.home())).toEqual(['Spring 2'])
  await ana.chooses('All links', { in: 'home' })
  await until(() => shown().includes('Links with “\u2068spring\u2069”'))
  expect(titles(ana.home())).toEqual(['Spring 2', 'Spring 1'])

  await ana.presses('Show all links', { in: 'home' })
  await until(() => shown().includes('3 links'))
  expect(shown()).not.toContain('Show all links')
})

/** A service that offers only what the specification describes. It ignores a search. */
async function startElsewhere(): Promise<AppElsewhere> {
  let made = 0
  const answers: Responder = ({ method, url, body }) => {
    if (method === 'POST') {
      const [, title] = /name="title"\r\n\r\n([^\r]*)/.exec(body) ?? []
      const [, destination] = /name="destination_url"\r\n\r\n([^\r]*)/.exec(body) ?? []
      made += 1
      return created({
        name: `lnk_${made}`,
        title,
        destination_url: destination,
        shortlink_url: `https://go.example.com/n${made}`,
      })
    }
    if (url.includes('/openapi.json')) return failure(404, 'NOT_FOUND')
    return { status: 200, body: { links: [] } }
  }
  return startAppElsewhere({ answers })
}

test('searches the record of links made in Slack if the service can’t search, and says so', async () => {
  const elsewhere = await startElsewhere()
  app = elsewhere
  const { ana, ben } = app.slack
  await make(ben, ['Spring 1'])
  await make(ana, ['Spring 2', 'Winter 1'])
  const found = await types(ana, '/shorten list spring')
  expect(titles(found.blocks)).toEqual(['Spring 2', 'Spring 1'])
  expect(texts(found)).toContain(
    'This link service can’t search, so these are the matches among links made in Slack.',
  )
  await ana.chooses('Show QR code', { in: 'general' })
  await ana.seesModal('QR code for')
  expect(texts(ana.modal())).toContain('https://go.example.com/n2')
  await ana.closes()
  expect(titles((await types(ana, '/shorten list mine asc')).blocks)).toEqual([
    'Spring 2',
    'Winter 1',
  ])
  expect(elsewhere.service.received.filter(({ url }) => url.includes('q='))).toEqual([])
  expect(elsewhere.service.received.filter(({ url }) => /shortlinks\/lnk_/.test(url))).toEqual([])
})
