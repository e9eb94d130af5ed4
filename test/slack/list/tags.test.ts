import { expect } from 'vitest'
import { withApp, withAppElsewhere } from '../../support/fixtures.ts'
import { createFakeClock } from '../../support/platform.ts'
import { texts } from '../../support/texts.ts'

const { test, ana, until } = withApp({ clock: createFakeClock() })

test.beforeAll(async ({ app: _app }) => {
  for (const [name, tags] of [
    ['card', 'Spring sale,print'],
    ['flyer', 'print,spring SALE,c,d,e'],
    ['poster', 'print'],
    ['page', ''],
  ]) {
    const options = `title="the ${name}" tags="${tags}" qr=off`
    await ana.asks(`/shorten https://example.com/${name} ${options}`, { for: 'leads to' })
  }
})

/** The titles of the links in a list or in the Home tab. */
const titles = (shown: unknown): string[] =>
  [...JSON.stringify(shown ?? '').matchAll(/\*\u2068the (\w+)\u2069\*/g)].map(
    ([, title = '']) => title,
  )

test('a list filtered by tags has only the links with all of them, says so, and has a button to all links', async () => {
  const found = await ana.asks('/shorten list tag:PRINT tag:"spring  sale"', { for: 'print' })
  expect(titles(found.blocks)).toEqual(['flyer', 'card'])
  expect(texts(found)).toContain('Links tagged *\u2068PRINT\u2069* and *\u2068spring sale\u2069*.')
  expect(texts(found)).toContain('2 links')
  expect(texts(found)).toContain('#\u2068c\u2069 #\u2068d\u2069 #\u2068e\u2069 +2')
  await ana.chooses('My links', { in: 'general' })
  await ana.gets('Links that you created tagged *\u2068PRINT\u2069*')
  await ana.chooses('All links', { in: 'general' })
  await ana.gets('Links tagged *\u2068PRINT\u2069*')
  await ana.chooses('Oldest first', { in: 'general' })
  await until(() => titles(ana.newest('general')?.blocks)[0] === 'card')
  await ana.chooses('Turn off', { in: 'general', of: 'link_menu' })
  const off = await ana.gets('*Turned off.*')
  expect(titles(off.blocks)).toEqual(['card', 'flyer'])
  await ana.presses('Undo', { in: 'general' })
  await ana.gets('*Turned on.*')

  await ana.presses('Show all links', { in: 'general' })
  expect(titles((await ana.gets('4 links')).blocks)).toEqual(['card', 'flyer', 'poster', 'page'])
  await ana.asks('/shorten list tag:none', { for: 'No links tagged *\u2068none\u2069* were' })
  expect(texts(await ana.asks('/shorten list flyer tag:print'))).toContain(
    'Links tagged *\u2068print\u2069* with “\u2068flyer\u2069”.',
  )
})

test('the search form filters by tags, in the Home tab too, and shows errors at its input', async () => {
  await ana.opensHome()
  await ana.seesHome('4 links')
  await ana.presses('Search', { in: 'home' })
  await ana.seesModal('search_tags')
  await ana.submits()
  expect(await ana.seesErrors()).toEqual({
    search_text: 'Type what to search for: at least 3 characters.',
  })
  ana.fills({ Tags: 'a/b' })
  await ana.submits()
  await until(() => ana.modal()?.errors['search_tags']?.startsWith('“a/b” can’t be a tag.'))
  ana.fills({ Tags: 'spring sale, print' })
  await ana.submits()
  const home = await ana.seesHome('Links tagged *\u2068print\u2069* and *\u2068spring sale\u2069*.')
  expect(titles(JSON.parse(home))).toEqual(['flyer', 'card'])

  await ana.presses('Search', { in: 'home' })
  await ana.seesModal('search_tags')
  expect(ana.form()).toEqual({ search_text: null, search_tags: 'print, spring sale' })
  ana.fills({ 'Search for': 'flyer' })
  await ana.submits()
  expect(titles(JSON.parse(await ana.seesHome('with “\u2068flyer\u2069”')))).toEqual(['flyer'])
  await ana.presses('Search', { in: 'home' })
  await ana.seesModal('search_tags')
  ana.fills({ Tags: null })
  await ana.submits()
  await ana.seesHome('Links with “\u2068flyer\u2069”.')
  await ana.presses('Show all links', { in: 'home' })
  await ana.seesHome('4 links')

  await ana.chooses('My links', { in: 'home' })
  await ana.seesHome('*My links*')
  await ana.presses('Search', { in: 'home' })
  expect(await ana.seesModal('search_text')).toContain('search_tags')
})

const elsewhere = withAppElsewhere()

elsewhere.test('says that a link service can’t filter by tags', async () => {
  const message = 'can’t filter this list by tags. Leave out the tags.'
  await elsewhere.ana.asks('/shorten list tag:print', { for: message })
  expect(elsewhere.service.received).toEqual([])
})
