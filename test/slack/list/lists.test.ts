import { expect, test as base } from 'vitest'
import { addClicks } from '../../../src/service/store/clicks.ts'
import type { Message } from '../../../src/simulator/protocol.ts'
import { objects, placedElements } from '../../../src/simulator/shared/slack-json.ts'
import { startAppElsewhere } from '../../support/app-elsewhere.ts'
import { created, type Responder } from '../../support/fake-link-service.ts'
import { withApp } from '../../support/fixtures.ts'
import { openDatabase } from '../../support/open-database.ts'
import type { PersonDriver } from '../../support/person.ts'
import { texts } from '../../support/texts.ts'

const { test, ana, ben, gil, until } = withApp()

async function make(person: PersonDriver, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const destination = `https://example.com/${name.replace(' ', '-').toLowerCase()}`
    await person.asks(`/shorten ${destination} title="${name}" qr=off`, {
      in: 'marketing',
      for: `*${name}*`,
    })
  }
}

const titles = (content: unknown): string[] =>
  [...JSON.stringify(content ?? '').matchAll(/\u2068((?:Spring|Winter) \d+)\u2069/g)].map(
    ([, title = '']) => title,
  )

const numbered = (name: string, from: number, to: number): string[] =>
  Array.from({ length: from - to + 1 }, (_, index) => `${name} ${from - index}`)

test.beforeAll(async ({ app: _app }) => {
  await make(ben, ['Winter 1', 'Spring 1'])
  await make(ana, numbered('Spring', 12, 2).toReversed().concat(['Winter 2']))
})

/** Waits until Ana’s newest list contains a text. */
const shows = (text: string): Promise<Message> =>
  until(() => {
    const newest = ana.newest('general')
    return texts(newest).includes(text) && newest
  })

test('lists ten links on each page, the newest first, and turns pages and sorts in the same message', async () => {
  const first = await ana.asks('/shorten list')
  expect(first.ephemeral).toBe(true)
  expect(titles(first.blocks)).toEqual(['Winter 2', ...numbered('Spring', 12, 4)])
  expect(texts(first)).toContain('Page 1 of 2  ·  14 links')
  expect(texts(first)).not.toContain('list_previous')

  await ana.presses('Next', { in: 'general' })
  const second = await shows('Page 2 of 2')
  expect(second.ts).toBe(first.ts)
  expect(titles(second.blocks)).toEqual([...numbered('Spring', 3, 1), 'Winter 1'])
  expect(texts(second)).not.toContain('list_next')

  await ana.presses('Previous', { in: 'general' })
  await shows('Page 1 of 2')
  await ana.chooses('Oldest first', { in: 'general' })
  const oldest = await until(() => {
    const newest = ana.newest('general')
    return titles(newest?.blocks)[0] === 'Winter 1' && newest
  })
  expect(titles(oldest.blocks)).toEqual(['Winter 1', ...numbered('Spring', 9, 1).toReversed()])
})

test('accepts sort field, order and page in the command', async () => {
  const page = await ben.asks('/shorten list created_at asc 2')
  expect(titles(page.blocks)).toEqual(['Spring 10', 'Spring 11', 'Spring 12', 'Winter 2'])
})

test.each(['', 'created_at'])('offers each order once in a list sorted by “%s”', async (field) => {
  const { blocks } = await ben.asks(`/shorten list ${field}`)
  const menu = placedElements(objects(blocks)).find(
    ({ element }) => element['action_id'] === 'list_sort',
  )?.element
  const options = objects(menu?.['options'])
  expect(options.map(({ text }) => (text as { text: string }).text)).toEqual([
    'Most recent first',
    'Oldest first',
    'Updated: newest first',
    'Updated: oldest first',
    'Most clicked first',
    'Least clicked first',
  ])
  expect(menu?.['initial_option']).toEqual(options[0])
  expect(options[0]?.['value']).toBe(`${field || 'most_recent'}:desc`)
})

test('searches, pages, sorts and filters in one list, and its menu finds a link', async () => {
  const first = await ana.asks('/shorten list SPRING')
  expect(texts(first)).toContain('Links with “\u2068SPRING\u2069”.')
  expect(texts(first)).not.toContain('can’t search')
  expect(titles(first.blocks)).toEqual(numbered('Spring', 12, 3))
  expect(texts(first)).toContain('Page 1 of 2  ·  12 links')

  await ana.presses('Next', { in: 'general' })
  expect(titles((await shows('Page 2 of 2')).blocks)).toEqual(['Spring 2', 'Spring 1'])
  await ana.chooses('Oldest first', { in: 'general' })
  expect(titles((await shows('Page 1 of 2')).blocks)[0]).toBe('Spring 1')
  await ana.chooses('My links', { in: 'general' })
  const own = await shows('Links that you created with “\u2068SPRING\u2069”.')
  expect(titles(own.blocks)).toEqual(numbered('Spring', 11, 2).toReversed())
  expect(texts(own)).toContain('0\u00a0clicks')

  await ana.presses('Search', { in: 'general' })
  await ana.seesModal()
  expect(ana.form()).toEqual({ search_text: 'SPRING', search_tags: null })
  ana.fills({ 'Search for': 'Winter' })
  await ana.submits()
  const winter = await shows('“\u2068Winter\u2069”')
  expect(titles(winter.blocks)).toEqual(['Winter 2'])
  expect(ana.modal()).toBeUndefined()
  await ana.chooses('Copy, QR code, share…', { in: 'general' })
  const [, shortUrl = ''] = /<(http[^|]*)\|/.exec(texts(winter)) ?? []
  expect(await ana.seesModal('slack_file')).toContain(`"${shortUrl}"`)
  await ana.closesAll()

  await ana.presses('Show all links', { in: 'general' })
  await shows('Page 1 of 2  ·  14 links')
})

test('explains in an answer and in the search form what is wrong with the text', async () => {
  const tooShort = '“ab” is too short to search for. A search needs at least 3 characters.'
  expect(texts(await ana.asks('/shorten list ab', { for: tooShort }))).toContain('/shorten list ab')

  const tooLong = await ana.asks(`/shorten list ${'x'.repeat(300)}`, {
    for: 'Use 200 characters or fewer.',
  })
  expect(texts(tooLong)).not.toContain('x'.repeat(200))

  await ana.asks('/shorten list')
  await ana.presses('Search', { in: 'general' })
  await ana.seesModal()
  ana.fills({ 'Search for': ' ab ' })
  await ana.submits()
  expect(await ana.seesErrors()).toEqual({ search_text: tooShort })
  ana.fills({ 'Search for': 'nothing like it' })
  await ana.submits()
  await shows('No links with “\u2068nothing like it\u2069” were found.')
})

test('lists only the links that the user created', async () => {
  await gil.asks('/shorten list mine', { for: 'There are no links that you created.' })
  await gil.presses('Show all links', { in: 'general' })
  await gil.gets('14 links')
  const own = await ben.asks('/shorten list mine')
  expect(titles(own.blocks)).toEqual(['Spring 1', 'Winter 1'])
  expect(texts(own)).toMatch(/http:\/\/localhost:\d+/)
})

test('lists the links that a person created, also outside of Slack', async ({ app }) => {
  const listed = async (text: string) => titles((await ana.asks(`/shorten list ${text}`)).blocks)
  expect(await listed('@ben')).toEqual(['Spring 1', 'Winter 1'])
  expect(await listed('@BEN OKAFOR winter')).toEqual(['Winter 1'])
  expect(await listed('<@U0BENOKAFOR0|ben> asc')).toEqual(['Winter 1', 'Spring 1'])
  await ana.asks('/shorten list @nobody', { for: 'found no member called “@nobody”' })
  await ana.asks('/shorten list mine @ben', { for: '“mine” and “@…” don’t go together' })
  await ana.asks('/shorten list @gil', { for: 'There are no links that <@U0GILSANTOS0> created.' })
  // As if Gil had created it in the dashboard.
  const database = await openDatabase(app.databaseUrl)
  await database.db
    .updateTable('links')
    .set({ person_id: 'T0PLAYGROUND-U0GILSANTOS0' })
    .where('title', '=', 'Winter 2')
    .execute()
  await database.close()
  expect(await listed('@gil')).toEqual(['Winter 2'])
})

test('sorts by clicks, in every list of the link service', async ({ app }) => {
  const database = await openDatabase(app.databaseUrl)
  const links = await database.db.selectFrom('links').select(['id', 'title']).execute()
  const clicks = links
    .filter(({ title }) => ['Spring 5', 'Winter 1'].includes(title ?? ''))
    .map(({ id, title }) => ({ link_id: id, people: title === 'Winter 1' ? 1_200 : 3 }))
  const day = '2026-11-20'
  await database.write(addClicks(clicks.map((click) => ({ ...click, day, bots: 0 }))))
  await database.close()

  const first = await ana.asks('/shorten list clicks')
  expect(titles(first.blocks).slice(0, 3)).toEqual(['Winter 1', 'Spring 5', 'Winter 2'])
  expect(texts(first)).toContain('·  1,200\u00a0clicks')
  await ana.presses('Next', { in: 'general' })
  await shows('Page 2 of 2')
  await ana.chooses('Least clicked first', { in: 'general' })
  const least = await until(() => {
    const newest = ana.newest('general')
    return titles(newest?.blocks)[0] === 'Spring 1' && newest
  })
  expect(titles(least.blocks)).not.toContain('Winter 1')
  const found = await ana.asks('/shorten list spring clicks')
  expect(titles(found.blocks)[0]).toBe('Spring 5')

  await ana.opensHome()
  await ana.seesHome('14 links')
  await ana.chooses('Most clicked first', { in: 'home' })
  await until(() => titles(ana.home())[0] === 'Winter 1')
  await ana.chooses('My links', { in: 'home' })
  await until(() => titles(ana.home())[0] === 'Spring 5')
  expect(texts(await ana.asks('/shorten list "clicks"'))).toContain('with “\u2068clicks\u2069”')
})

base('says that the list is sorted by age if the link service can’t sort by clicks', async () => {
  const link = { name: 'lnk_1', destination_url: 'https://example.com/', title: 'Spring 1' }
  const links = [{ ...link, shortlink_url: 'https://go.example.com/n1' }]
  const { service, slack, ...app } = await startAppElsewhere({
    answers: () => ({ status: 200, body: { links } }),
  })
  const list = await slack.ana.asks('/shorten list clicks')
  expect(titles(list.blocks)).toEqual(['Spring 1'])
  expect(texts(list)).toContain(
    'This list can’t be sorted like that, so it is sorted by age. To search for the word “clicks”, put it in quotes',
  )
  expect(texts(list)).not.toContain('Most clicked first')
  expect(service.received.filter(({ url }) => url.includes('sort_by=clicks'))).toEqual([])
  await app.stop()
})

base(
  'searches the record of links created in Slack if the service can’t search, and says so',
  async () => {
    let made = 0
    /** It offers only what the specification describes, and ignores a search. */
    const answers: Responder = ({ method, body }) => {
      if (method !== 'POST') return { status: 200, body: { links: [] } }
      const [, title] = /name="title"\r\n\r\n([^\r]*)/.exec(body) ?? []
      const [, destination_url] = /name="destination_url"\r\n\r\n([^\r]*)/.exec(body) ?? []
      made += 1
      const shortlink_url = `https://go.example.com/n${made}`
      return created({ name: `lnk_${made}`, title, destination_url, shortlink_url })
    }
    const { service, slack, ...app } = await startAppElsewhere({ answers })
    const { ana, ben } = slack
    await make(ben, ['Spring 1'])
    await make(ana, ['Spring 2', 'Winter 1'])
    const found = await ana.asks('/shorten list spring')
    expect(titles(found.blocks)).toEqual(['Spring 2', 'Spring 1'])
    expect(texts(found)).toContain(
      'This link service can’t search, so these are the matches among links created in Slack.',
    )
    await ana.presses('Copy, QR code, share…', { in: 'general' })
    await ana.seesModal('QR code for')
    expect(texts(ana.modal())).toContain('https://go.example.com/n2')
    await ana.closes()
    const own = await ana.asks('/shorten list mine asc')
    expect(titles(own.blocks)).toEqual(['Spring 2', 'Winter 1'])
    expect(service.received.filter(({ url }) => url.includes('q='))).toEqual([])
    expect(service.received.filter(({ url }) => /shortlinks\/lnk_/.test(url))).toEqual([])
    expect(slack.refusals()).toEqual([])
    await app.stop()
  },
)
