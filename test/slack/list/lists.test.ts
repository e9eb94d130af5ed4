import { expect } from 'vitest'
import { addClicks } from '../../../src/service/store/clicks.ts'
import type { Message } from '../../../src/simulator/protocol.ts'
import { objects, placedElements } from '../../../src/simulator/shared/slack-json.ts'
import { created, fieldsIn } from '../../support/fake-link-service.ts'
import { withApp, withAppElsewhere } from '../../support/fixtures.ts'
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

/** Waits until Ana’s newest list begins with this link. */
const beginsWith = (title: string): Promise<Message> =>
  until(() => {
    const newest = ana.newest('general')
    return titles(newest?.blocks)[0] === title && newest
  })

test('lists ten links on each page, the newest first, and turns pages and sorts in the same message', async () => {
  const first = await ana.asks('/shorten list')
  expect(first.ephemeral).toBe(true)
  expect(titles(first.blocks)).toEqual(['Winter 2', ...numbered('Spring', 12, 4)])
  expect(texts(first)).toContain('Page 1 of 2  ·  14 links')
  expect(texts(first)).not.toContain('list_previous')

  await ana.presses('Next', { in: 'general' })
  const second = await ana.gets('Page 2 of 2')
  expect(second.ts).toBe(first.ts)
  expect(titles(second.blocks)).toEqual([...numbered('Spring', 3, 1), 'Winter 1'])
  expect(texts(second)).not.toContain('list_next')

  await ana.presses('Previous', { in: 'general' })
  await ana.gets('Page 1 of 2')
  await ana.chooses('Oldest first', { in: 'general' })
  const oldest = await beginsWith('Winter 1')
  expect(titles(oldest.blocks)).toEqual(['Winter 1', ...numbered('Spring', 9, 1).toReversed()])
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
  expect(titles((await ana.gets('Page 2 of 2')).blocks)).toEqual(['Spring 2', 'Spring 1'])
  await ana.chooses('Oldest first', { in: 'general' })
  await beginsWith('Spring 1')
  await ana.chooses('My links', { in: 'general' })
  const own = await ana.gets('Links that you created with “\u2068SPRING\u2069”.')
  expect(titles(own.blocks)).toEqual(numbered('Spring', 11, 2).toReversed())
  expect(texts(own)).toContain('0\u00a0clicks')

  await ana.presses('Search', { in: 'general' })
  await ana.seesModal()
  expect(ana.form()).toEqual({ search_text: 'SPRING', search_tags: null })
  ana.fills({ 'Search for': 'Winter' })
  await ana.submits()
  const winter = await ana.gets('“\u2068Winter\u2069”')
  expect(titles(winter.blocks)).toEqual(['Winter 2'])
  expect(ana.modal()).toBeUndefined()
  await ana.chooses('Copy, QR code, share…', { in: 'general' })
  const [, shortUrl = ''] = /<(http[^|]*)\|/.exec(texts(winter)) ?? []
  expect(await ana.seesModal('slack_file')).toContain(`"${shortUrl}"`)
  await ana.closesAll()

  await ana.presses('Show all links', { in: 'general' })
  await until(() => titles(ana.newest('general')?.blocks).length === 10)
})

test('explains what is wrong with the text, and cuts it', async () => {
  const tooShort = '“ab” is too short to search for. A search needs at least 3 characters.'
  expect(texts(await ana.asks('/shorten list ab', { for: tooShort }))).toContain('/shorten list ab')

  const tooLong = await ana.asks(`/shorten list ${'x'.repeat(300)}`, {
    for: 'Use 200 characters or fewer.',
  })
  expect(texts(tooLong)).not.toContain('x'.repeat(200))
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
  await ana.chooses('Least clicked first', { in: 'general' })
  const least = await beginsWith('Spring 1')
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

const elsewhere = withAppElsewhere()

elsewhere.test('says that a link service can’t sort by clicks', async () => {
  const { ana, service } = elsewhere
  const link = { name: 'lnk_1', destination_url: 'https://example.com/', title: 'Spring 1' }
  const links = [{ ...link, shortlink_url: 'https://go.example.com/n1' }]
  service.answers(() => ({ status: 200, body: { links } }))
  const list = await ana.asks('/shorten list clicks')
  expect(titles(list.blocks)).toEqual(['Spring 1'])
  expect(texts(list)).toContain(
    'This list can’t be sorted like that, so it is sorted by age. To search for the word “clicks”, put it in quotes',
  )
  expect(texts(list)).not.toContain('Most clicked first')
  expect(service.received.filter(({ url }) => url.includes('sort_by=clicks'))).toEqual([])
})

elsewhere.test(
  'searches the record of links created in Slack if the service can’t search',
  async () => {
    const { ana, ben, service } = elsewhere
    let made = 0
    service.answers((request) => {
      if (request.method !== 'POST') return { status: 200, body: { links: [] } }
      made += 1
      const shortlink_url = `https://go.example.com/n${made}`
      return created({ ...fieldsIn(request), name: `lnk_${made}`, shortlink_url })
    })
    await make(ben, ['Spring 1'])
    await make(ana, ['Spring 2', 'Winter 1'])
    const found = await ana.asks('/shorten list spring')
    expect(titles(found.blocks)).toEqual(['Spring 2', 'Spring 1'])
    expect(texts(found)).toContain('This link service can’t search, so these are the matches')
    await ana.presses('Copy, QR code, share…', { in: 'general' })
    expect(await ana.seesModal('QR code for')).toContain('https://go.example.com/n2')
    const own = await ana.asks('/shorten list mine asc')
    expect(titles(own.blocks)).toEqual(['Spring 2', 'Winter 1'])
    expect(service.received.filter(({ url }) => url.includes('q='))).toEqual([])
    expect(service.received.filter(({ url }) => /shortlinks\/lnk_/.test(url))).toEqual([])
  },
)
