import { expect, test as base } from 'vitest'
import { startAppElsewhere } from '../../support/app-elsewhere.ts'
import { withApp } from '../../support/fixtures.ts'
import { texts } from '../../support/texts.ts'

const { test, ana, until } = withApp()

test.beforeAll(async ({ app: _app }) => {
  for (const made of [
    'card tags="Spring sale,print"',
    'flyer tags="print,spring SALE,c,d,e"',
    'poster tags=print',
    'page',
  ]) {
    await ana.asks(
      `/shorten https://example.com/${made} title=“the ${made.split(' ')[0]}” qr=off`,
      {
        for: 'leads to',
      },
    )
  }
})

/** The titles of the links in a list or in the Home tab. */
const titles = (shown: unknown): string[] =>
  [...JSON.stringify(shown ?? '').matchAll(/\*\u2068the (\w+)\u2069\*/g)].map(
    ([, title = '']) => title,
  )

/** Waits until Ana's newest list contains a text. */
const shows = (text: string) =>
  until(() => {
    const newest = ana.newest('general')
    return texts(newest).includes(text) && newest
  })

test('a list filtered by tags has only the links with all of them, says so, and has a button to all links', async () => {
  const found = await ana.asks('/shorten list tag:PRINT tag:"spring  sale"', { for: 'print' })
  expect(titles(found.blocks)).toEqual(['flyer', 'card'])
  expect(texts(found)).toContain('Links tagged *\u2068PRINT\u2069* and *\u2068spring sale\u2069*.')
  expect(texts(found)).toContain('2 links')
  expect(texts(found)).toContain('#\u2068c\u2069 #\u2068d\u2069 #\u2068e\u2069 +2')
  await ana.chooses('My links', { in: 'general' })
  await shows('Links that you created tagged *\u2068PRINT\u2069*')
  await ana.chooses('All links', { in: 'general' })
  await shows('Links tagged *\u2068PRINT\u2069*')
  await ana.chooses('Oldest first', { in: 'general' })
  await until(() => titles(ana.newest('general')?.blocks)[0] === 'card')
  await ana.chooses('Turn off', { in: 'general', of: 'link_menu' })
  const off = await shows('*Turned off.*')
  expect(titles(off.blocks)).toEqual(['card', 'flyer'])
  await ana.presses('Undo', { in: 'general' })
  await shows('*Turned on.*')

  await ana.presses('Show all links', { in: 'general' })
  expect(titles((await shows('4 links')).blocks)).toEqual(['card', 'flyer', 'poster', 'page'])
  await ana.asks('/shorten list tag:none', {
    for: 'No links tagged *\u2068none\u2069* were found.',
  })
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

base('says that a link service can’t filter by tags', async () => {
  const { service, slack, ...app } = await startAppElsewhere()
  const message = 'can’t filter this list by tags. Leave out the tags.'
  await slack.ana.asks('/shorten list tag:print', { for: message })
  expect(service.received).toEqual([])
  await app.stop()
})
